import { expect, it, test } from 'vitest';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import { isTemporary, timeInName } from '#main/watcher/names.ts';
import { selectionOf } from '#main/watcher/selection.ts';
import { canBe } from '#main/watcher/volume.ts';

it.each([
  'a.png.tmp',
  'a.part',
  'x/a.jpg.crdownload',
  'a.download',
  '~$a.png',
  '.syncthing.a.png.tmp',
  '~syncthing~a.png',
  '.~a.png',
  '.#a.png',
  '#a.png#',
  'a.png~',
])('%s is a temporary name', (name) => {
  expect(isTemporary(name)).toBe(true);
});

it.each(['a.png', 'part.png', 'tmp/a.png', 'a #1.png', 'download.jpg'])('%s isn’t a temporary name', (name) => {
  expect(isTemporary(name)).toBe(false);
});

it.each([
  'Screenshot 2026-03-01 at 14.05.59.png',
  'Screenshot_20260301-140559.png',
  'IMG_20260301_140559.jpg',
  'PXL_20260301_140559123.jpg',
  '2026-03-01 14-05-59.png',
  'Screenshot from 2026-03-01 14-05-59.png',
])('reads the time in %s', (name) => {
  // Milliseconds follow without a separator on Google's phones, and aren't read.
  const expected = name.startsWith('PXL') ? undefined : new Date(2026, 2, 1, 14, 5, 59).getTime();
  expect(timeInName(name)).toBe(expected);
});

it.each(['photo.jpg', '20260301.jpg', 'scan 2026-02-31 10.00.00.png', '12345678901234567890.png'])('finds no time in %s', (name) => {
  expect(timeInName(name)).toBeUndefined();
});

test('a selection follows patterns, subfolders, and leaves out the app’s own folders', () => {
  const selection = selectionOf(
    '/pictures',
    { ...DEFAULT_FOLDER_OPTIONS, ignore: ['private', '*.gif'], after: { kind: 'move', to: 'Uploaded' } },
    ['/pictures/app/data', '/elsewhere'],
  );
  const taken = ['a.png', 'b/c/D.HEIC', 'e.tiff', 'f.bmp'];
  const outside = ['Uploaded/a.png', 'app/data/a.png', '.cache/a.png', '.a.png', 'private/a.png', 'a.png.part'];
  const others = ['notes.txt', 'a.gif'];
  expect(taken.filter((path) => !selection.takes(path))).toEqual([]);
  expect([...outside, ...others].filter((path) => selection.takes(path))).toEqual([]);
  expect(outside.filter((path) => !selection.isOutside(path))).toEqual([]);
  expect(others.filter((path) => selection.isOutside(path))).toEqual([]);
  expect(selectionOf('/pictures', { ...DEFAULT_FOLDER_OPTIONS, recursive: false }, []).takes('b/a.png')).toBe(false);
  expect(selectionOf('/pictures', { ...DEFAULT_FOLDER_OPTIONS, include: ['shot*'] }, []).takes('b/shot.xyz')).toBe(true);
});

test('another drive in the place of a folder is noticed where drives have identifiers', () => {
  expect(canBe('uuid:A', 'uuid:A')).toBe(true);
  expect(canBe('uuid:A', 'uuid:B')).toBe(false);
  expect(canBe('uuid:A', undefined)).toBe(false);
  expect(canBe('folder:1:5', 'folder:2:6')).toBe(false);
  expect(canBe('folder:1:5', undefined)).toBe(true);
  expect(canBe(undefined, 'uuid:A')).toBe(true);
});

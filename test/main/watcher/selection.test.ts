import { expect, test } from 'vitest';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import { selectionOf } from '#main/watcher/selection.ts';

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

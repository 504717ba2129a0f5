import { expect, test } from 'vitest';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import type { FolderOptions } from '#api/desktop/folders.ts';
import { selectionOf } from '#main/watcher/selection.ts';

const select = (options: Partial<FolderOptions>, own: string[] = [], videos = false) =>
  selectionOf('/pictures', { ...DEFAULT_FOLDER_OPTIONS, ...options }, { own, videos });

test.each(['a.png', 'b/c/D.HEIC', 'e.tiff', 'f.bmp'])('takes %s', (path) => {
  expect(select({}).takes(path)).toBe(true);
});

test.each(['notes.txt', 'a.gif'])('leaves %s, which doesn’t match, and records it', (path) => {
  const { takes, isOutside } = select({ ignore: ['*.gif'] });
  expect(takes(path)).toBe(false);
  expect(isOutside(path)).toBe(false);
});

test.each(['.cache/a.png', '.a.png', 'private/a.png', 'a.png.part'])('leaves %s without recording it', (path) => {
  const { takes, isOutside } = select({ ignore: ['private'] });
  expect(takes(path)).toBe(false);
  expect(isOutside(path)).toBe(true);
});

test.each(['Uploaded/a.png', 'app/data/a.png'])('never enters the app’s own folder of %s', (path) => {
  const { takes, isOutside } = select({ after: { kind: 'move', to: 'Uploaded' } }, ['/pictures/app/data', '/elsewhere']);
  expect(takes(path)).toBe(false);
  expect(isOutside(path)).toBe(true);
});

test('leaves subfolders unless asked for them', () => {
  expect(select({ recursive: false }).takes('b/a.png')).toBe(false);
});

test('patterns replace the choice by type', () => {
  expect(select({ include: ['shot*'] }).takes('b/shot.xyz')).toBe(true);
  expect(select({ include: ['shot*'] }).takes('b/a.png')).toBe(false);
});

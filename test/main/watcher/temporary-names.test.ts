import { expect, it } from 'vitest';
import { isTemporary } from '#main/watcher/temporary-names.ts';

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

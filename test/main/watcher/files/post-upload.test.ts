import type { BigIntStats, Stats } from 'node:fs';
import type * as fs from 'node:fs/promises';
import { lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { foldersIn, put } from '../harness.ts';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>();
  return { ...real, lstat: vi.fn(real.lstat) };
});

/** A file system whose numbers of files are too large for JavaScript's numbers. */
const LARGE = 2n ** 60n;

test.each([
  ['number', { ino: LARGE + 1n, dev: 1n }],
  ['drive', { ino: LARGE, dev: 2n }],
])('a file in the place of a moved one is another one if its %s differs', async (_, other) => {
  const root = temporaryFolder();
  const taken = join(root, 'Uploaded', 'a.png');
  await mkdir(join(root, 'Uploaded'));
  await put(root, 'a.png', 'A');
  await put(root, 'Uploaded/a.png', 'another');
  const real = await vi.importActual<typeof fs>('node:fs/promises');
  vi.mocked(lstat).mockImplementation((async (path: string, options?: { bigint?: boolean }) => {
    const found = await real.lstat(path, { bigint: options?.bigint === true });
    const { ino, dev } = path === taken ? other : { ino: LARGE, dev: 1n };
    const numbers = options?.bigint ? { ino, dev } : { ino: Number(ino), dev: Number(dev) };
    return Object.assign<Stats | BigIntStats, object>(found, numbers);
  }) as typeof lstat);
  const { add, upload, until, events } = foldersIn();
  await add(root, { existing: true, after: { kind: 'move', to: 'Uploaded' } });
  await upload();
  await until(() => events().includes('a.png filed'), 'the move');
  expect((await readdir(join(root, 'Uploaded'))).sort()).toEqual(['a (2).png', 'a.png']);
  expect(await readFile(join(root, 'Uploaded', 'a (2).png'), 'utf8')).toBe('A');
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiError } from '#api/client.ts';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import type { Folder } from '#main/journal/folders.ts';
import { openJournal } from '#main/journal/journal.ts';
import { type AlbumChoice, createDedupe } from '#main/watcher/files/dedupe.ts';
import { timeInName } from '#main/watcher/files/file-name-dates.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { FakeClock } from '../../fake-clock.ts';

/** Dedupes the files of a folder whose albums the test provides. */
function dedupeWith(albumOf: (relPath: string) => Promise<AlbumChoice | undefined>) {
  const clock = new FakeClock();
  const journal = openJournal(join(temporaryFolder(), 'uploads.db'), () => clock.now());
  const id = journal.folders.add({ path: '/pictures', volume: undefined, options: DEFAULT_FOLDER_OPTIONS, since: null });
  const failures: unknown[] = [];
  const dedupe = createDedupe({
    journal,
    clock,
    folder: () => journal.folders.get(id) as Folder,
    albumOf,
    exists: () => Promise.resolve(true),
    wake: () => undefined,
    onDrafts: () => undefined,
    again: () => undefined,
    onChange: (failed) => failures.push(failed),
  });
  const add = (relPath: string) => dedupe.add({ relPath, sha256: relPath, size: 1, modified: 1, changed: 1, inode: relPath });
  const items = () => journal.items.list(['queued'], 10, 0);
  const queued = () => items().map(({ name }) => name);
  return { dedupe, clock, add, items, queued, failures };
}

test('a refused album keeps only its own files waiting, until it is available', async () => {
  let refused = true;
  const refusal = new ApiError(403, 'Your group allows 1 album.', { code: 'forbidden' });
  const { dedupe, clock, add, queued, failures } = dedupeWith(async (relPath) => {
    if (refused && relPath.startsWith('full/')) throw refusal;
    return undefined;
  });
  add('full/a.png');
  add('b.png');
  clock.pass(30);
  await expect.poll(queued).toEqual(['b.png']);
  expect(dedupe.size()).toBe(1);
  expect(failures.at(-1)).toBe(refusal);

  refused = false;
  add('c.png');
  clock.pass(10_000);
  await expect.poll(() => queued().sort()).toEqual(['a.png', 'b.png', 'c.png']);
  expect(dedupe.size()).toBe(0);
  expect(failures.at(-1)).toBeUndefined();
});

test('a file goes into all albums of its folder', async () => {
  const { clock, add, items } = dedupeWith(async () => ({ ids: ['one', 'two'], account: undefined }));
  add('a.png');
  clock.pass(30);
  await expect.poll(() => items().map(({ fields }) => fields)).toMatchObject([{ albums: 'one,two' }]);
});

test('asks for no further albums while the service is unavailable', async () => {
  let asked = 0;
  const { dedupe, clock, add, failures } = dedupeWith(async () => {
    asked += 1;
    throw new ApiError(503, 'Starting', { code: 'unavailable' });
  });
  for (let index = 0; index < 500; index += 1) add(`${index}.png`);
  clock.pass(30);
  await expect.poll(() => failures.length).toBe(1);
  expect(asked).toBe(200);
  expect(dedupe.size()).toBe(500);
});

test.each([
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

test.each(['photo.jpg', '20260301.jpg', 'scan 2026-02-31 10.00.00.png', '12345678901234567890.png'])('finds no time in %s', (name) => {
  expect(timeInName(name)).toBeUndefined();
});

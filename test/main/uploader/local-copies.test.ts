import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { DEFAULT_PREFERENCES } from '#api/desktop/preferences.ts';
import type { Item } from '#main/journal/item.ts';
import { createLocalCopies } from '#main/uploader/local-copies.ts';
import { uploadedImage } from '#test/cli/scripted-service.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { settle, uploaderIn } from './harness.ts';

function copies(chosen: Partial<typeof DEFAULT_PREFERENCES> = {}) {
  const folder = join(temporaryFolder(), 'copies');
  const preferences = { ...DEFAULT_PREFERENCES, localCopy: 'uploads' as const, localCopyName: '{app} {n}', ...chosen };
  const onFailed = vi.fn();
  const keep = createLocalCopies({
    preferences: () => preferences,
    usualFolder: folder,
    sourceName: (origin) => origin ?? 'none',
    onFailed,
  });
  const source = join(temporaryFolder(), 'a.png');
  writeFileSync(source, 'pixels');
  const item = (some: Partial<Item> = {}) => ({ path: source, name: 'a.png', spooled: true, addedAt: 0, ...some }) as Item;
  const saved = () => {
    try {
      return readdirSync(folder, { recursive: true }).map(String).sort();
    } catch {
      return [];
    }
  };
  return { keep, folder, onFailed, item, saved, preferences };
}

it('saves uploads under the next free name, and never overwrites', async () => {
  const { keep, folder, item, saved, onFailed } = copies();
  mkdirSync(folder);
  writeFileSync(join(folder, 'capture 1.png'), 'the user’s own');
  await keep(item(), 'capture');
  await keep(item(), 'capture');
  await keep(item(), 'clipboard');
  expect(saved()).toEqual(['capture 1.png', 'capture 2.png', 'capture 3.png', 'clipboard 1.png']);
  expect(['1', '2'].map((number) => readFileSync(join(folder, `capture ${number}.png`), 'utf8'))).toEqual(['the user’s own', 'pixels']);
  expect(onFailed).not.toHaveBeenCalled();
});

it('saves what the user has chosen: nothing, what exists nowhere else, or all but files of watch folders', async () => {
  const own = { spooled: false };
  const watched = { ...own, folder: { id: 'f', relPath: 'a.png' } };
  for (const [localCopy, count] of [
    ['none', 0],
    ['captures', 1],
    ['uploads', 2],
  ] as const) {
    const { keep, item, saved } = copies({ localCopy });
    for (const some of [{}, own, watched]) await keep(item(some), 'chosen');
    expect(saved(), localCopy).toHaveLength(count);
  }
});

it('reports the first of several failures, and leaves no part of a file', async () => {
  const { keep, item, saved, onFailed } = copies();
  await keep(item({ path: '/nowhere/a.png' }), 'capture');
  await keep(item({ path: '/nowhere/b.png', name: 'b.png' }), 'capture');
  expect(saved()).toEqual([]);
  expect(onFailed.mock.calls.map(([name]) => name)).toEqual(['a.png']);
  await keep(item(), 'capture');
  await keep(item({ path: '/nowhere/c.png', name: 'c.png' }), 'capture');
  expect(onFailed.mock.calls.map(([name]) => name)).toEqual(['a.png', 'c.png']);
});

it('saves a capture once it is uploaded, before the app removes its own file', async () => {
  const { keep, saved, folder } = copies({ localCopy: 'captures' });
  const { uploader, spool, now } = uploaderIn(undefined, undefined, keep);
  const item = await spool.keep(Buffer.from('captured'), 'screenshot.png');
  const { delivered } = uploader.upload([item], 'capture');
  await settle();
  expect(saved()).toEqual([]);
  now('screenshot.png').work.resolve(uploadedImage());
  await delivered;
  await vi.waitFor(() => expect(() => readFileSync(item.path)).toThrow('ENOENT'));
  expect(saved()).toEqual(['capture 1.png']);
  expect(readFileSync(join(folder, 'capture 1.png'), 'utf8')).toBe('captured');
});

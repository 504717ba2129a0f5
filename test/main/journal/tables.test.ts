import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import { LANE } from '#main/journal/item.ts';
import { openJournal } from '#main/journal/journal.ts';
import { uploadedImage } from '#test/cli/scripted-service.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const JOURNAL = join(import.meta.dirname, '../../../main/journal');

test('each table has one module that writes it', () => {
  const writers: Record<string, string[]> = {};
  for (const file of readdirSync(JOURNAL)) {
    const source = readFileSync(join(JOURNAL, file), 'utf8');
    const tables = [...source.matchAll(/(?:INTO|UPDATE|DELETE FROM) ([a-z]+)/g)].map((match) => match[1] as string);
    for (const table of new Set(tables)) writers[table] = [...(writers[table] ?? []), file];
  }
  expect(writers).toEqual({
    batches: ['batches.ts'],
    events: ['events.ts'],
    facts: ['journal.ts'],
    folders: ['folders.ts'],
    items: ['items.ts'],
    seen: ['seen.ts'],
  });
});

test('the single album that an earlier version stored for a watch folder is kept', () => {
  const { folders } = openJournal(join(temporaryFolder(), 'uploads.db'));
  const options = { ...DEFAULT_FOLDER_OPTIONS, album: { kind: 'fixed', id: 'one' } } as unknown as typeof DEFAULT_FOLDER_OPTIONS;
  const id = folders.add({ path: '/pictures', volume: undefined, options, since: null });
  expect(folders.get(id)?.options.album).toEqual({ kind: 'fixed', ids: ['one'] });
});

test('an upload that ends after its watch folder was removed leaves nothing about the file', () => {
  const { folders, seen, events, items, batches } = openJournal(join(temporaryFolder(), 'uploads.db'));
  const folder = folders.add({ path: '/pictures', volume: undefined, options: DEFAULT_FOLDER_OPTIONS, since: null });
  const relPath = 'a.png';
  const [id = ''] = items.add(batches.add('folder', undefined), LANE.folder, [
    { path: '/pictures/a.png', name: relPath, spooled: false, folder: { id: folder, relPath } },
  ]);
  folders.remove(folder);
  items.finish(id, uploadedImage());
  expect(items.get(id)?.state).toBe('done');
  expect(seen.get(folder, relPath)).toBeUndefined();
  expect(events.list(folder, { search: '', before: undefined, limit: 1 })).toEqual([]);
});

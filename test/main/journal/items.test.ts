import { statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Reason } from '#main/base/reasons.ts';
import { LANE, type NewItem } from '#main/journal/item.ts';
import { openJournal } from '#main/journal/journal.ts';
import { uploadedImage } from '#test/cli/scripted-service.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const FAILURE = { kind: 'text', code: 'fileMissing', message: 'gone' } as const;

function journalIn(folder = temporaryFolder(), time = { now: 1_000 }) {
  const file = join(folder, 'uploads.db');
  const journal = openJournal(file, () => time.now);
  const add = (lane: number, ...items: (Partial<NewItem> & { path: string })[]) => {
    const batch = journal.batches.add('chosen', undefined);
    return journal.items.add(
      batch,
      lane,
      items.map((item) => ({ name: item.path, spooled: false, ...item })),
    );
  };
  const next = (account = 'local:1', lane: number = LANE.folder) => journal.items.next({ now: time.now, account, lane })?.path;
  return { ...journal, journal, file, time, add, next };
}

test('sends what a person waits for first, then editors, then folders, each in order', () => {
  const { add, next, items } = journalIn();
  add(LANE.folder, { path: 'folder' });
  add(LANE.editor, { path: 'editor' });
  const [first] = add(LANE.person, { path: 'one' }, { path: 'two' });
  expect(next()).toBe('one');
  items.begin(first ?? '', 'local:1');
  expect(next()).toBe('two');
  expect(next('local:1', LANE.person)).toBe('two');
  items.discard(items.ids(['queued']).slice(0, 2));
  expect(next('local:1', LANE.editor)).toBeUndefined();
  expect(next()).toBe('folder');
});

test('keeps uploads for one account from another', () => {
  const { add, next, items } = journalIn();
  const [id] = add(LANE.person, { path: 'one' });
  items.begin(id ?? '', 'local:1');
  items.putBack(id ?? '');
  expect(next('host:2')).toBeUndefined();
  expect(items.countForOthers('host:2')).toBe(1);
  const key = items.get(id ?? '')?.key;
  items.reassign('local:1', 'host:2');
  expect(next('host:2')).toBe('one');
  expect(items.get(id ?? '')?.key).not.toBe(key);
});

test('waits for the time it is given, and counts only responses as attempts', () => {
  const { add, next, items, time } = journalIn();
  const [id = ''] = add(LANE.person, { path: 'one' });
  items.begin(id, 'local:1');
  items.later(id, 5_000, FAILURE);
  expect(next()).toBeUndefined();
  expect(items.nextAt('local:1')).toBe(5_000);
  time.now = 5_000;
  expect(next()).toBe('one');
  items.begin(id, 'local:1');
  items.putBack(id);
  expect(items.get(id)).toMatchObject({ attempts: 1, failure: FAILURE, state: 'queued' });
});

test('queues again at the next start what was being sent, with the same key', () => {
  const folder = temporaryFolder();
  const first = journalIn(folder);
  const [id = ''] = first.add(LANE.person, { path: 'one', fields: { max_views: '3' } });
  first.items.begin(id, 'local:1');
  const key = first.items.get(id)?.key;
  first.journal.close();
  const second = journalIn(folder);
  expect(second.items.get(id)).toMatchObject({ state: 'queued', key, fields: { max_views: '3' }, account: 'local:1' });
});

test('keeps the image of a finished upload, but not its password or the link that deletes it', () => {
  const { add, items, file } = journalIn();
  const [id = ''] = add(LANE.person, { path: 'one', fields: { access_password: 'sesame', max_views: '1' } });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  items.begin(id, 'local:1');
  const image = uploadedImage();
  items.finish(id, image);
  expect(items.get(id)?.image?.key).toBe(image.key);
  expect(items.get(id)?.image?.links.delete_url).toBeUndefined();
  expect(items.get(id)?.fields).toEqual({ max_views: '1' });
  expect(items.countDoneSince(1_000)).toBe(1);
  expect(items.discard([id])).toEqual([]);
});

test('a failed upload can be retried in a new batch, or discarded', () => {
  const { add, items, batches, next } = journalIn();
  const [one = '', two = ''] = add(LANE.person, { path: 'one' }, { path: 'two' });
  for (const id of [one, two]) items.begin(id, 'local:1');
  items.fail(one, FAILURE);
  items.finish(two, uploadedImage());
  expect(items.counts()).toEqual({ draft: 0, queued: 0, sending: 0, paused: 0, failed: 1 });
  const batch = batches.add('retried', {});
  expect(items.retry([one, two], batch)).toEqual([one]);
  expect(next()).toBe('one');
  expect(items.isBatchOpen(batch)).toBe(true);
  expect(items.discard([one]).map(({ path }) => path)).toEqual(['one']);
  expect(items.isBatchOpen(batch)).toBe(false);
});

test('a paused upload is passed over until it is resumed', () => {
  const { add, items, next } = journalIn();
  const [one = ''] = add(LANE.person, { path: 'one' }, { path: 'two' });
  items.pause([one]);
  expect(next()).toBe('two');
  items.resume([one]);
  expect(next()).toBe('one');
});

test('forgets ended uploads after a week, and nothing before that', () => {
  const folder = temporaryFolder();
  const first = journalIn(folder);
  const [id = ''] = first.add(LANE.person, { path: 'done' }, { path: 'waiting' });
  first.items.begin(id, 'local:1');
  first.items.finish(id, uploadedImage());
  first.journal.close();
  const later = journalIn(folder, { now: 1_000 + 8 * 86_400_000 });
  expect(later.items.get(id)).toBeUndefined();
  expect(later.next()).toBe('waiting');
});

test('delivers each batch once, and remembers how', () => {
  const { batches, journal } = journalIn();
  const id = batches.add('clipboard', { format: 'markdown', mark: 'abc' });
  expect(batches.undelivered()).toEqual([{ id, origin: 'clipboard', links: { format: 'markdown', mark: 'abc' } }]);
  batches.delivered(id);
  expect(batches.undelivered()).toEqual([]);
  journal.setFact('paused', '1');
  expect(journal.fact('paused')).toBe('1');
});

test('undoes a commit as a whole', () => {
  const { journal, batches } = journalIn();
  expect(() =>
    journal.commit(() => {
      batches.add('chosen', undefined);
      throw new Error('power cut');
    }),
  ).toThrow('power cut');
  expect(batches.undelivered()).toEqual([]);
});

test('sets a damaged file aside and starts a new one', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'uploads.db'), 'this is no database, but longer than the header of one'.repeat(20));
  const { items } = journalIn(folder);
  expect(items.counts().queued).toBe(0);
  expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^uploads\.db\.damaged-\d+$/));
});

test('refuses the file of a newer version', () => {
  const folder = temporaryFolder();
  const newer = new DatabaseSync(join(folder, 'uploads.db'));
  newer.exec('PRAGMA user_version = 999');
  newer.close();
  expect(() => journalIn(folder)).toThrow(new Reason('newerJournal'));
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_PREFERENCES } from '#api/desktop/preferences.ts';
import { createArrivals } from '#main/uploader/arrivals.ts';
import { uploadedImage } from '#test/cli/scripted-service.ts';
import { settle, uploaderIn } from './harness.ts';

const MARKS = JSON.stringify({ marks: [{ text: 'what the user typed '.repeat(2_000) }] });

/** Whether any file of the journal still contains what was drawn: pages, freed ones and the log of earlier versions. */
const isInJournal = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('uploads.db'))
    .some((name) => readFileSync(join(folder, name)).includes('what the user typed'));

async function draft() {
  const parts = uploaderIn();
  const file = await parts.spool.keep(new Uint8Array([1, 2, 3]), 'shot.png');
  const [id = ''] = parts.uploader.keep([file], 'capture', { format: 'markdown', mark: 'the clipboard' });
  parts.uploader.keepMarks(id, MARKS);
  return { ...parts, file, id };
}

test('a draft waits for the user, survives a restart with its marks, and leaves nothing when it is sent', async () => {
  const { uploader, started, folder, file, id, journal } = await draft();
  expect(uploader.summary()).toMatchObject({ drafts: 1, queued: 0, sending: 0 });
  expect(started).toEqual([]);
  expect(isInJournal(folder)).toBe(true);
  await uploader.close();
  journal.close();

  const again = uploaderIn(folder);
  await again.spool.clean(again.journal.items.spooled());
  expect(existsSync(file.path)).toBe(true);
  expect(again.uploader.draft(id)).toMatchObject({ name: 'shot.png', marks: MARKS });
  again.uploader.change('discard', 'all'); // of what is open
  await settle();
  const drawn = await again.spool.keep(new Uint8Array([4]), 'shot.jpg');
  await again.uploader.sendDraft(id, drawn, true);
  expect(existsSync(file.path)).toBe(false);
  expect(isInJournal(folder)).toBe(false);
  await expect(again.uploader.sendDraft(id)).rejects.toMatchObject({ text: 'draftGone' });
  again.uploader.keepMarks(id, MARKS); // comes too late
  expect(isInJournal(folder)).toBe(false);
  expect(again.now('shot.jpg').item).toMatchObject({ id, path: drawn.path, size: 1 });
  again.now('shot.jpg').work.resolve(uploadedImage());
  await settle();
  // The link replaces whatever is on the clipboard.
  expect(again.delivered).toMatchObject([{ origin: 'capture', late: false, links: { format: 'markdown', sendsOn: true }, done: [{}] }]);
  expect(again.delivered[0]?.links?.mark).toBeUndefined();
});

test('a discarded draft leaves nothing, from its window and from the list', async () => {
  for (const how of ['window', 'list'] as const) {
    const { uploader, folder, file, id, delivered } = await draft();
    if (how === 'window') await uploader.discardDraft(id);
    else uploader.change('discard', [id]);
    await expect.poll(() => existsSync(file.path)).toBe(false);
    expect(isInJournal(folder)).toBe(false);
    expect(uploader.summary()).toMatchObject({ drafts: 0, queued: 0 });
    expect(delivered).toEqual([]);
  }
});

test('discarding a draft of the user’s own file leaves the file', async () => {
  const { uploader, folder } = uploaderIn();
  const path = join(folder, 'uploads.db');
  const [id = ''] = uploader.keep([{ path, name: 'mine.png', spooled: false }], 'window');
  await uploader.discardDraft(id);
  expect(existsSync(path)).toBe(true);
});

test.each([
  ['upload', false, 'uploaded'],
  ['upload', true, 'edit'],
  ['edit', false, 'edit'],
  ['edit', true, 'uploaded'],
  ['ask', false, 'ask'],
  ['ask', true, 'edit'],
] as const)('with “%s”, inverted: %s, a picture is %s', (chosen, inverted, expected) => {
  const { uploader, files, started } = uploaderIn();
  const arrivals = createArrivals(uploader, () => ({ ...DEFAULT_PREFERENCES, afterDrop: chosen }));
  let result: string = 'uploaded';
  arrivals.onDrafts((_ids, what) => {
    result = what;
  });
  arrivals.take(files('a.png'), { trigger: 'drop', origin: 'window', inverted });
  expect(result).toBe(expected);
  expect(started).toEqual(expected === 'uploaded' ? ['a.png'] : []);
});

import { join } from 'node:path';
import { openJournal } from '#main/journal/journal.ts';
import { openSpool } from '#main/uploader/spool.ts';
import { uploadedImage } from '#test/cli/scripted-service.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';

/** Adds uploads to the desktop app's journal and finishes some, as the app does, until it is killed. Reports each change once it's accepted. */

export type Change = { added: string; number: number } | { finished: string };

const [folder = '', first] = process.argv.slice(2);
const journal = openJournal(join(folder, 'uploads.db'));
const spool = openSpool(join(folder, 'spool'));
const report = (change: Change) => process.send?.(change);
await spool.clean(journal.items.spooled());
for (let number = Number(first); ; number++) {
  const item = await spool.keep(tinyPng(number), 'picture.png');
  const [added = ''] = journal.commit(() => journal.items.add(journal.batches.add('clipboard', undefined), 0, [item]));
  report({ added, number });
  const next = journal.items.next({ now: Date.now(), account: 'host', lane: 0 });
  if (number % 3 > 0 || !next) continue;
  journal.items.begin(next.id, 'host');
  journal.items.finish(next.id, uploadedImage());
  report({ finished: next.id });
  await spool.remove(next.path);
}

// Measures the desktop app's queue while many uploads wait: the time that each action of the tray and the window keeps main busy, and
// its memory. The peer is the same action with ten uploads. `node bench/waiting-uploads.ts [uploads]`
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../main/base/clock.ts';
import { openJournal } from '../main/journal/journal.ts';
import type { Account } from '../main/service/account.ts';
import { createQueue } from '../main/uploader/queue.ts';
import { openSpool } from '../main/uploader/spool.ts';
import { createUploader, type Uploader } from '../main/uploader/uploader.ts';
import { median } from './support/load.ts';

const MANY = Number(process.argv[2] ?? 10_000);
const FEW = 10;
const ROUNDS = 5;

/** An account whose service never comes. */
const account: Account = {
  id: () => 'local:1',
  name: () => 'bench',
  state: () => 'waiting',
  onChange: () => () => undefined,
  access: () => Promise.reject(new Error('not available')),
  renew: () => Promise.reject(new Error('not available')),
};

function uploaderIn(folder: string) {
  const journal = openJournal(join(folder, 'uploads.db'));
  const send = () => Promise.reject(new Error('never sent'));
  const queue = createQueue({ journal, account, send, clock: systemClock });
  const spool = openSpool(join(folder, 'spool'));
  return createUploader({
    journal,
    queue,
    spool,
    account,
    deliver: () => Promise.resolve(false),
    keepCopy: () => Promise.resolve(),
    usual: () => ({}),
  });
}

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `/pictures/${index}.jpg`, name: `${index}.jpg`, spooled: false }));

function time(action: () => void) {
  const start = performance.now();
  action();
  return performance.now() - start;
}

/** The longest time that cancelling everything keeps main busy without a break. */
async function longestBlock(uploader: Uploader) {
  let longest = time(() => uploader.change('discard', 'all'));
  while (uploader.summary().queued > 0) {
    const start = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    longest = Math.max(longest, performance.now() - start);
  }
  return longest;
}

async function measure(count: number): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'pixdock-bench-'));
  const uploader = uploaderIn(folder);
  const added = time(() => uploader.upload(files(count), 'chosen'));
  const actions: Record<string, () => void> = {
    'state for the tray': () => uploader.summary(),
    'a page of the list': () => uploader.list('open', 50, Math.floor(count / 2)),
    'pause and resume all': () => {
      uploader.setPaused(true);
      uploader.setPaused(false);
    },
    'pause one': () => uploader.change('pause', [uploader.list('open', 1, 0)[0]?.id ?? '']),
    'add one more': () => uploader.upload(files(1), 'clipboard'),
    'cancel one': () => uploader.change('discard', [uploader.list('open', 1, 0)[0]?.id ?? '']),
  };
  const result: Record<string, number> = { [`add ${count}`]: added };
  for (const [name, action] of Object.entries(actions)) result[name] = median(Array.from({ length: ROUNDS }, () => time(action)));
  result['open at the next start'] = time(() => uploaderIn(folder));
  result['cancel all, at a time'] = await longestBlock(uploader);
  await rm(folder, { recursive: true });
  return result;
}

const before = process.memoryUsage().rss;
const few = await measure(FEW);
const many = await measure(MANY);
for (const [name, milliseconds] of Object.entries(many)) {
  const peer = few[name] ?? few[`add ${FEW}`];
  console.log(`${name.padEnd(24)} ${milliseconds.toFixed(1).padStart(8)} ms   with ${FEW}: ${peer?.toFixed(1)} ms`);
}
console.log(`memory: ${Math.round(before / 1e6)} MB before, ${Math.round(process.memoryUsage().rss / 1e6)} MB after`);

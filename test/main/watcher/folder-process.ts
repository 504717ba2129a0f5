// The watch folders and the queue of the desktop app in plain Node, against a real service. Started by folder-kills.built.test.ts.
import { join } from 'node:path';
import { z } from 'zod';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import { folderOptions } from '#api/desktop/folders.ts';
import { systemClock } from '#main/base/clock.ts';
import { openJournal } from '#main/journal/journal.ts';
import type { Account } from '#main/service/account.ts';
import { createQueue } from '#main/uploader/queue.ts';
import { sendWith } from '#main/uploader/send.ts';
import { openSpool } from '#main/uploader/spool.ts';
import { createUploader } from '#main/uploader/uploader.ts';
import { createWatchFolders } from '#main/watcher/folders.ts';
import { watch } from '#main/watcher/watch.ts';

/** Between the lines that this process writes. */
const REPORT_INTERVAL_MS = 100;

const { state, url, token, watched, options } = z
  .object({ state: z.string(), url: z.string(), token: z.string(), watched: z.string(), options: folderOptions.partial() })
  .parse(JSON.parse(process.argv[2] ?? ''));

const access = { url, headers: { authorization: `Bearer ${token}` } };
const account: Account = {
  id: () => 'host:test',
  name: () => 'ada',
  state: () => 'ready',
  onChange: () => () => undefined,
  access: () => Promise.resolve(access),
  renew: () => Promise.resolve(access),
};

const journal = openJournal(join(state, 'uploads.db'));
const queue = createQueue({ journal, account, send: sendWith(account, () => ''), clock: systemClock });
const uploader = createUploader({
  journal,
  queue,
  spool: openSpool(join(state, 'spool')),
  account,
  deliver: () => Promise.resolve(false),
  keepCopy: () => Promise.resolve(),
  usual: () => ({}),
});
const folders = createWatchFolders({
  journal,
  queue: uploader,
  account,
  takesVideos: async () => false,
  clock: systemClock,
  watch,
  onDrafts: () => undefined,
  trash: () => Promise.reject(new Error('this system has no trash')),
  freeSpace: async () => undefined,
  own: [state],
});
if (folders.list().length === 0) await folders.add(watched, { ...DEFAULT_FOLDER_OPTIONS, ...options });

setInterval(() => {
  const [folder] = folders.list();
  const line = {
    state: folder?.watch.state().state,
    settling: folder?.watch.settling(),
    scannedAt: folder?.watch.scannedAt(),
    counts: folder?.counts,
    memory: process.memoryUsage.rss(),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}, REPORT_INTERVAL_MS);

import { join } from 'node:path';
import type { Preferences } from '#api/desktop/preferences.ts';
import { convertField } from '#api/images/convert-field.ts';
import { systemClock } from '#main/base/clock.ts';
import type { Failure } from '#main/base/reasons.ts';
import type { Ipc } from '#main/ipc.ts';
import { type Journal, openJournal } from '#main/journal/journal.ts';
import type { Account } from '#main/service/account.ts';
import { type Arrivals, createArrivals } from './arrivals.ts';
import { connectUploads } from './calls.ts';
import { takeOldCaptures } from './old-captures.ts';
import { createQueue } from './queue.ts';
import { sendWith } from './send.ts';
import { openSpool, type Spool } from './spool.ts';
import { type BatchResult, createUploader, type Uploader } from './uploader.ts';

interface Options {
  ipc: Ipc;
  /** Absolute path of the app's own folder. */
  folder: string;
  account: Account;
  preferences(): Preferences;
  /** The sentence that the user sees. */
  describe(failure: Failure): string;
  deliver(batch: BatchResult): Promise<boolean>;
}

/** Main's uploader, which continues with what an earlier run left. */
export function setupUploader({ ipc, folder, account, preferences, describe, deliver }: Options): {
  journal: Journal;
  uploader: Uploader;
  arrivals: Arrivals;
  spool: Spool;
} {
  const journal = openJournal(join(folder, 'uploads.db'));
  const spool = openSpool(join(folder, 'spool'));
  const queue = createQueue({ journal, account, send: sendWith(account), clock: systemClock });
  const usual = () => convertField(preferences().convert);
  const uploader = createUploader({ journal, queue, spool, account, deliver, usual });
  const arrivals = createArrivals(uploader, preferences);
  connectUploads(ipc, { uploader, arrivals, spool, account, preferences, describe });

  async function tidy() {
    await spool.clean(journal.items.spooledPaths());
    await takeOldCaptures(join(folder, 'captures'), spool, (item) => uploader.resume([item]));
  }
  tidy().catch((error: unknown) => console.error('Couldn’t look for pictures of an earlier run:', error));
  return { journal, uploader, arrivals, spool };
}

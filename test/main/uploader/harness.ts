import { join } from 'node:path';
import type { FormFields, Uploaded } from '#api/images/upload.ts';
import type { Origin } from '#main/journal/batches.ts';
import { type Item, LANE, type NewItem } from '#main/journal/item.ts';
import { openJournal } from '#main/journal/journal.ts';
import type { Account } from '#main/service/account.ts';
import { createQueue } from '#main/uploader/queue.ts';
import type { Attempt } from '#main/uploader/send.ts';
import { openSpool } from '#main/uploader/spool.ts';
import { type BatchResult, createUploader } from '#main/uploader/uploader.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { FakeClock } from '../fake-clock.ts';

/** An account that becomes ready and unavailable when the test says so. */
export class FakeAccount implements Account {
  readonly #listeners: (() => void)[] = [];
  #state: 'ready' | 'waiting' = 'ready';
  userId = 1;

  id = () => `local:${this.userId}`;
  name = () => 'ada';
  state = () => this.#state;
  access = () => Promise.reject(new Error('not needed here'));
  renew = () => Promise.reject(new Error('not needed here'));

  onChange(listener: () => void) {
    this.#listeners.push(listener);
    return () => undefined;
  }

  become(state: 'ready' | 'waiting') {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

export interface Sending {
  item: Item;
  attempt: Attempt;
  work: PromiseWithResolvers<Uploaded>;
}

/** An uploader whose attempts end when the test says so. */
export function uploaderIn(
  folder = temporaryFolder(),
  deliver: (batch: BatchResult) => Promise<boolean> = () => Promise.resolve(true),
  keepCopy: (item: Item, origin: Origin | undefined) => Promise<void> = () => Promise.resolve(),
) {
  const usual: FormFields = {};
  const clock = new FakeClock();
  const account = new FakeAccount();
  const sending = new Map<string, Sending>();
  const started: string[] = [];
  const delivered: BatchResult[] = [];
  const journal = openJournal(join(folder, 'uploads.db'), () => clock.now());
  const spool = openSpool(join(folder, 'spool'));
  const queue = createQueue({
    journal,
    account,
    clock,
    send(item, attempt) {
      const work = Promise.withResolvers<Uploaded>();
      started.push(item.name);
      sending.set(item.name, { item, attempt, work });
      attempt.signal.addEventListener('abort', () => work.reject(attempt.signal.reason));
      return work.promise;
    },
  });
  const uploader = createUploader({
    journal,
    queue,
    spool,
    account,
    usual: () => usual,
    keepCopy,
    deliver(batch) {
      delivered.push(batch);
      return deliver(batch);
    },
  });
  const files = (...names: string[]): NewItem[] => names.map((name) => ({ path: `/pictures/${name}`, name, spooled: false }));
  const addFromFolder = (items: NewItem[]) => {
    journal.items.add(journal.batches.add('folder', undefined), LANE.folder, items);
    uploader.wake();
  };
  const now = (name: string): Sending => {
    const found = sending.get(name);
    if (!found) throw new Error(`${name} is not being sent`);
    return found;
  };
  return { usual, uploader, journal, spool, account, clock, started, delivered, files, addFromFolder, now, folder };
}

/** Lets promises that are settled run their continuations. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

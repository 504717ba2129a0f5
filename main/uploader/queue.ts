import { EventEmitter } from 'node:events';
import { classify } from '#api/failures.ts';
import { type Progress, ProgressMeter } from '#api/progress-meter.ts';
import type { Clock } from '#main/base/clock.ts';
import { type Failure, failureOf, Reason } from '#main/base/reasons.ts';
import { type Item, LANE, type SentImage } from '#main/journal/item.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { Account } from '#main/service/account.ts';
import { holdDelay, verdictOf } from './backoff.ts';
import { FileChanged, type Send } from './send.ts';

/** Number of parallel uploads. One of them is never from a watch folder, so that other uploads don't wait for those. */
const PARALLEL = 3;
const FOLDERS_PARALLEL = PARALLEL - 1;

/** Between changes that are only about bytes. */
const PROGRESS_INTERVAL_MS = 250;

/** Name of the journal entry that says whether the queue is paused. */
const PAUSED = 'paused';

/** Sends the journal's uploads, the most urgent first. */
export interface Queue {
  /** Looks for uploads to send, after some were added or changed. */
  wake(): void;
  /** Ends the attempts for these uploads, which have been paused or discarded in the journal. Returns those that were running, whose end is reported later. */
  stop(ids: readonly string[]): ReadonlySet<string>;
  isPaused(): boolean;
  /** Lasts until it is resumed, even across a restart. Uploads in progress are interrupted and start over. */
  setPaused(paused: boolean): void;
  /** Why all uploads wait, while they do. */
  waitsFor(): Failure | undefined;
  /** `size`: of the file in bytes, once it is open. */
  progress(id: string): (Progress & { size: number | undefined }) | undefined;
  /** How much of what is being sent has been sent, from 0 to 1; undefined until that is known. */
  share(): number | undefined;
  /** Calls back after each change; `ended` is an upload that is done or has failed, `image` its image. */
  onChange(listener: (ended?: Item, image?: SentImage) => void): void;
  /** Starts no more uploads; resolves when those in progress have ended. */
  close(): Promise<void>;
}

interface Options {
  journal: Journal;
  account: Account;
  send: Send;
  clock: Clock;
}

interface Running {
  controller: AbortController;
  meter: ProgressMeter;
  /** Of the file, in bytes, once it is open. */
  size: number | undefined;
  lane: number;
  work: Promise<void>;
}

/** Uploads wait while the service is unavailable, and start again automatically. One that fails never stops the others. */
export function createQueue({ journal, account, send, clock }: Options): Queue {
  const { items } = journal;
  const running = new Map<string, Running>();
  const events = new EventEmitter<{ change: [Item?, SentImage?] }>();
  let paused = journal.fact(PAUSED) === 'yes';
  let closed = false;
  let hold: { until: number; failure: Failure } | undefined;
  let failuresInARow = 0;
  let toldAt = 0;
  /** Uploads whose end couldn't be recorded: they are sent again, which makes no second image. */
  const strays = new Set<string>();
  let cancelTimer = (): void => undefined;

  /** Has all uploads wait, for example while the journal can't be written because the disk is full. */
  function holdOn(error: unknown, seconds?: number) {
    // Uploads that were under way together fail together: that is one failure.
    if (hold) return;
    failuresInARow += 1;
    const until = clock.now() + (seconds ?? holdDelay(failuresInARow)) * 1_000;
    console.warn('Uploads paused:', error);
    hold = { until, failure: failureOf(error) };
    wakeAt(until);
  }

  function fill() {
    try {
      fillSlots();
    } catch (error) {
      holdOn(error);
    }
  }

  function fillSlots() {
    const id = account.id();
    if (closed || paused || hold || id === undefined || account.state() !== 'ready') return;
    for (const stray of strays) items.putBack(stray);
    strays.clear();
    while (running.size < PARALLEL) {
      const folders = [...running.values()].filter(({ lane }) => lane === LANE.folder).length;
      const item = items.next({ now: clock.now(), account: id, lane: folders < FOLDERS_PARALLEL ? LANE.folder : LANE.editor });
      // An attempt that was stopped is still ending: when it ends, its slot is filled again.
      if (!item || running.has(item.id)) break;
      start(item, id);
    }
    const next = items.nextAt(id);
    if (!hold && next !== undefined) wakeAt(next);
  }

  function wakeAt(time: number) {
    cancelTimer();
    cancelTimer = clock.after(Math.max(0, time - clock.now()), () => {
      hold = undefined;
      fill();
    });
  }

  function start(item: Item, accountId: string) {
    items.begin(item.id, accountId);
    const controller = new AbortController();
    const meter = new ProgressMeter(() => clock.now());
    const work = attempt({ ...item, account: accountId }, controller, meter)
      .catch((error: unknown) => {
        strays.add(item.id);
        holdOn(error);
      })
      .finally(() => {
        running.delete(item.id);
        fill();
      });
    running.set(item.id, { controller, meter, size: undefined, lane: item.lane, work });
    events.emit('change');
  }

  function measure(meter: ProgressMeter, count: number) {
    meter.add(count);
    if (clock.now() - toldAt < PROGRESS_INTERVAL_MS) return;
    toldAt = clock.now();
    events.emit('change');
  }

  async function attempt(item: Item, { signal }: AbortController, meter: ProgressMeter) {
    let image: SentImage;
    try {
      image = await send(item, {
        signal,
        onSize: (bytes) => {
          const sending = running.get(item.id);
          if (sending) sending.size = bytes;
        },
        onBytes: (count) => measure(meter, count),
      });
    } catch (error) {
      if (signal.aborted) items.putBack(item.id);
      else if (error instanceof FileChanged) items.changed(item.id);
      else judge(item, error);
      const now = items.get(item.id);
      events.emit('change', now?.state === 'failed' || now?.state === 'discarded' ? now : undefined);
      return;
    }
    failuresInARow = 0;
    items.finish(item.id, image);
    events.emit('change', items.get(item.id), image);
  }

  function judge({ id, attempts }: Item, error: unknown) {
    const verdict = verdictOf(error, attempts);
    const failure = failureOf(error);
    if (classify(error) === 'new key') items.renewKey(id);
    if (verdict.what === 'hold') {
      items.putBack(id);
      holdOn(error, verdict.seconds);
    } else if (verdict.what === 'later') items.later(id, clock.now() + verdict.seconds * 1_000, failure);
    else {
      console.error('Upload failed:', error);
      items.fail(id, failure);
    }
  }

  account.onChange(() => {
    // The service is running again, so nothing needs to wait for it.
    if (account.state() === 'ready' && hold?.failure.kind === 'text') hold = undefined;
    events.emit('change');
    fill();
  });
  setImmediate(fill);

  const interrupt = (ids: Iterable<string>) => {
    for (const id of ids) running.get(id)?.controller.abort();
  };
  return {
    wake() {
      events.emit('change');
      fill();
    },
    stop(ids) {
      interrupt(ids);
      return new Set(ids.filter((id) => running.has(id)));
    },
    isPaused: () => paused,
    setPaused(value) {
      paused = value;
      journal.setFact(PAUSED, value ? 'yes' : 'no');
      if (value) interrupt(running.keys());
      events.emit('change');
      fill();
    },
    waitsFor: () =>
      hold?.failure ?? (account.state() === 'ready' ? undefined : failureOf(account.whyWaiting?.() ?? new Reason('serviceUnavailable'))),
    progress(id) {
      const sending = running.get(id);
      return sending && { ...sending.meter.read(), size: sending.size };
    },
    share() {
      const known = [...running.values()].flatMap(({ meter, size }) => (size ? [{ sent: Math.min(size, meter.read().sent), size }] : []));
      const total = known.reduce((sum, { size }) => sum + size, 0);
      return total === 0 ? undefined : known.reduce((sum, { sent }) => sum + sent, 0) / total;
    },
    onChange: (listener) => void events.on('change', listener),
    async close() {
      closed = true;
      cancelTimer();
      await Promise.all([...running.values()].map(({ work }) => work));
    },
  };
}

import { classify, isOutage } from '#api/failures.ts';
import type { FormFields, Uploaded } from '#api/images/upload.ts';
import { ProgressMeter } from '#api/progress-meter.ts';
import { countRetries, type NextPause, type Pause } from '#api/retry.ts';
import { canSucceed } from './refusal.ts';
import { randomKey } from './send-form.ts';
import { type Summary, summarise } from './summary.ts';
import { TimeLeft } from './time-left.ts';
import { isOpen, type NewUpload, type Progress, type Send, type Stored, type UploadItem } from './types.ts';

/** The longest wait that the service may ask for, in seconds. */
const MAX_WAIT = 120;
/** Milliseconds between notifications: thousands of files change state many times a second. */
const NOTIFY_EVERY = 100;
/** How far the service's clock may be behind this computer's, in milliseconds. */
const CLOCK_SLACK = 60_000;

export interface QueueOptions<Result extends Stored = Uploaded> {
  send: Send<Result>;
  /** The id of the signed-in user, in whose name retries are sent. */
  user?: () => number | undefined;
  /** Returns a reason to refuse a file before sending it. */
  refuse?: (file: File) => Error | undefined;
  /** Called when the service can't be reached; resolves once it can be again. */
  untilReachable?: () => Promise<void>;
  /** Called for each uploaded image. */
  onUploaded?: (item: UploadItem<Result>) => void;
  /** Called with the batch's items when the queue is empty. */
  onDrained?: (items: readonly UploadItem<Result>[]) => void;
  onFailed?: (error: unknown) => void;
  parallel?: number;
  now?: () => number;
}

interface Destination {
  user?: number | undefined;
  fields?: FormFields | undefined;
}

/** The visible state of the queue. */
export interface QueueSnapshot<Result extends Stored = Uploaded> {
  readonly items: readonly UploadItem<Result>[];
  readonly summary: Summary<Result>;
  /** End of a pause that the service asked for, in milliseconds; undefined while there is none. */
  readonly pausedUntil: number | undefined;
  /** Everything waits until the service can be reached again. */
  readonly isUnreachable: boolean;
  /** Estimated for the current batch; undefined until known. */
  readonly secondsLeft: number | undefined;
}

/** The attempts to send one file. */
interface Attempts {
  count: number;
  /** When the first one began, in milliseconds. */
  since: number;
  nextPause: NextPause;
}

/** Uploads files a few at a time. A failed file never stops the others. */
export class UploadQueue<Result extends Stored = Uploaded> {
  readonly #options: QueueOptions<Result>;
  readonly #listeners = new Set<() => void>();
  readonly #items = new Map<number, UploadItem<Result>>();
  /** The ids of waiting items, in the order in which to send them. */
  #waiting = new Set<number>();
  readonly #aborts = new Map<number, AbortController>();
  readonly #attempts = new Map<number, Attempts>();
  #batch = 1;
  #hasBatch = false;
  #timeLeft = new TimeLeft();
  #pausedUntil: number | undefined;
  #isUnreachable = false;
  #pauseTimer: ReturnType<typeof setTimeout> | undefined;
  #snapshot: QueueSnapshot<Result> | undefined;
  #notifyTimer: ReturnType<typeof setTimeout> | undefined;
  #notifiedAt = 0;
  #nextId = 1;

  constructor(options: QueueOptions<Result>) {
    this.#options = options;
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  getSnapshot = (): QueueSnapshot<Result> => {
    this.#snapshot ??= this.#look();
    return this.#snapshot;
  };

  add(uploads: readonly NewUpload[], { user, fields = {} }: Destination = {}): void {
    for (const { source, name } of uploads) {
      const file = typeof source === 'string' ? undefined : source;
      const error = file && this.#options.refuse?.(file);
      const id = this.#nextId++;
      const item = {
        id,
        idempotencyKey: randomKey(),
        source,
        name,
        size: file?.size ?? 0,
        user,
        fields,
        batch: this.#batch,
        sent: 0,
        speed: 0,
      };
      this.#set({ ...item, state: error ? 'failed' : 'waiting', error });
      this.#hasBatch = true;
    }
    this.#pump();
  }

  cancel(id: number): void {
    this.#cancel(id);
    this.#pump();
  }

  cancelAll(): void {
    for (const id of this.#items.keys()) this.#cancel(id);
    this.#pump();
  }

  retry(id: number): void {
    this.#retry(id);
    this.#pump();
  }

  /** Retries what may succeed: not the files that the service would refuse again. */
  retryFailed(): void {
    for (const item of this.#items.values()) if (item.state === 'failed' && canSucceed(item.error)) this.#retry(item.id);
    this.#pump();
  }

  dismiss(id: number): void {
    this.#cancel(id);
    this.#forget(id);
    this.#pump();
  }

  /** Removes everything that has failed. */
  dismissFailed(): void {
    for (const item of this.#items.values()) if (item.state === 'failed') this.#forget(item.id);
    this.#changed();
  }

  /** Removes everything finished. */
  clear(): void {
    for (const item of this.#items.values()) if (!isOpen(item)) this.#forget(item.id);
    this.#changed();
  }

  #cancel(id: number): void {
    const item = this.#items.get(id);
    if (!item || !isOpen(item)) return;
    this.#set({ ...item, state: 'cancelled', speed: 0 });
    this.#aborts.get(id)?.abort(new DOMException('Cancelled', 'AbortError'));
  }

  #retry(id: number): void {
    const item = this.#items.get(id);
    if (!item || isOpen(item) || item.state === 'done') return;
    const attempts = this.#attempts.get(id);
    if (attempts) attempts.nextPause = countRetries({ maxWait: MAX_WAIT });
    this.#hasBatch = true;
    const user = this.#options.user?.() ?? item.user;
    // A key whose image is gone, or that another upload has taken, would only be refused again.
    const idempotencyKey = classify(item.error) === 'new key' ? randomKey() : item.idempotencyKey;
    this.#set({ ...item, idempotencyKey, user, batch: this.#batch, state: 'waiting', sent: 0, speed: 0, error: undefined });
  }

  #forget(id: number): void {
    this.#items.delete(id);
    this.#attempts.delete(id);
    this.#changed();
  }

  #pump(): void {
    if (this.#pausedUntil === undefined && !this.#isUnreachable)
      for (const id of this.#waiting) {
        if (this.#aborts.size >= (this.#options.parallel ?? 3)) break;
        void this.#run(id);
      }
    if (this.#hasBatch && this.#waiting.size + this.#aborts.size === 0) this.#drain();
  }

  async #run(id: number): Promise<void> {
    const item = this.#items.get(id);
    if (!item) return;
    const abort = new AbortController();
    const meter = new ProgressMeter(() => this.#now());
    const attempts = this.#attempts.get(id) ?? { count: 0, since: this.#now(), nextPause: countRetries({ maxWait: MAX_WAIT }) };
    attempts.count += 1;
    this.#attempts.set(id, attempts);
    this.#aborts.set(id, abort);
    this.#set({ ...item, state: 'sending', sent: 0, speed: 0 });
    const onProgress = ({ sent, total }: Progress) => {
      if (abort.signal.aborted) return;
      meter.set(sent);
      this.#update(id, { state: sent >= total ? 'processing' : 'sending', sent, speed: meter.read().bytesPerSecond ?? 0 });
    };
    try {
      this.#succeed(id, await this.#options.send(item, onProgress, abort.signal));
    } catch (error) {
      if (!abort.signal.aborted) this.#fail(id, error, attempts.nextPause(error));
    } finally {
      if (this.#aborts.get(id) === abort) this.#aborts.delete(id);
      this.#pump();
    }
  }

  #succeed(id: number, image: Result): void {
    const item = this.#items.get(id);
    if (!item) return;
    // The response to an earlier attempt may have been lost: then this attempt's repeats it.
    const attempts = this.#attempts.get(id);
    const isOwn = attempts !== undefined && attempts.count > 1 && Date.parse(image.created_at) >= attempts.since - CLOCK_SLACK;
    const size = item.size || image.size;
    const done: UploadItem<Result> = { ...item, state: 'done', size, sent: size, image, reused: image.reused && !isOwn };
    this.#set(done);
    this.#options.onUploaded?.(done);
  }

  #fail(id: number, error: unknown, pause: Pause | undefined): void {
    if (!pause) {
      this.#update(id, { state: 'failed', speed: 0, error });
      this.#options.onFailed?.(error);
      return;
    }
    this.#update(id, { state: 'waiting', sent: 0, speed: 0 });
    this.#pause(pause.seconds);
    if (isOutage(error)) void this.#awaitService();
  }

  /** Holds back everything not yet started: the reason for one file to wait applies to the next one too. */
  #pause(seconds: number): void {
    const now = this.#now();
    const until = Math.max(this.#pausedUntil ?? 0, now + seconds * 1000);
    clearTimeout(this.#pauseTimer);
    this.#pauseTimer = setTimeout(() => {
      this.#pausedUntil = undefined;
      this.#resume();
    }, until - now);
    this.#pausedUntil = until;
    this.#changed();
  }

  /** An outage may last for hours, so it is waited for without counting attempts. */
  async #awaitService(): Promise<void> {
    if (this.#isUnreachable || !this.#options.untilReachable) return;
    this.#isUnreachable = true;
    this.#changed();
    await this.#options.untilReachable();
    this.#isUnreachable = false;
    this.#resume();
  }

  #resume(): void {
    this.#changed();
    this.#pump();
  }

  #drain(): void {
    const batch = [...this.#items.values()].filter((item) => item.batch === this.#batch);
    this.#batch += 1;
    this.#hasBatch = false;
    this.#timeLeft = new TimeLeft();
    this.#options.onDrained?.(batch);
  }

  #update(id: number, change: Partial<UploadItem<Result>>): void {
    const item = this.#items.get(id);
    if (item) this.#set({ ...item, ...change });
  }

  #set(item: UploadItem<Result>): void {
    const before = this.#items.get(item.id);
    this.#items.set(item.id, item);
    if (item.state !== 'waiting') this.#waiting.delete(item.id);
    // What has been tried before keeps its place.
    else if (before && isOpen(before)) this.#waiting = new Set([item.id, ...this.#waiting].toSorted((one, other) => one - other));
    else this.#waiting.add(item.id);
    this.#changed();
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #look(): QueueSnapshot<Result> {
    const items = [...this.#items.values()];
    const summary = summarise(items);
    const isHeld = this.#pausedUntil !== undefined || this.#isUnreachable;
    if (isHeld) this.#timeLeft.skip(this.#now(), summary);
    const secondsLeft = isHeld || !summary.open ? undefined : this.#timeLeft.at(this.#now(), summary);
    return { items, summary, pausedUntil: this.#pausedUntil, isUnreachable: this.#isUnreachable, secondsLeft };
  }

  #changed(): void {
    this.#snapshot = undefined;
    const wait = Math.max(0, this.#notifiedAt + NOTIFY_EVERY - Date.now());
    this.#notifyTimer ??= setTimeout(() => this.#notify(), wait);
  }

  #notify(): void {
    this.#notifyTimer = undefined;
    this.#notifiedAt = Date.now();
    for (const listener of this.#listeners) listener();
  }
}

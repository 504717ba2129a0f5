import { ApiError } from '#api/client.ts';
import { countRetries, type NextPause } from '#api/retry.ts';
import { Speedometer } from './speed.ts';
import { isOpen, isRunning, type Progress, type Send, type UploadItem } from './types.ts';

/** The longest wait that the service may ask for, in seconds. */
const MAX_WAIT = 120;

export interface QueueOptions {
  send: Send;
  /** The id of the signed-in user, in whose name retries are sent. */
  user?: () => number | undefined;
  /** Returns a reason to refuse a file before sending it. Manual retries skip this: the service decides. */
  refuse?: (file: File) => Error | undefined;
  /** Called for each uploaded image. */
  onUploaded?: (item: UploadItem) => void;
  /** Called with the batch's items when the queue is empty. */
  onDrained?: (items: readonly UploadItem[]) => void;
  onFailed?: (error: unknown) => void;
  parallel?: number;
  now?: () => number;
}

interface Destination {
  user?: number | undefined;
  albumId?: string | undefined;
}

/** The visible state of the queue. */
export interface QueueSnapshot {
  readonly items: readonly UploadItem[];
  /** End of a pause that the service asked for, in milliseconds; undefined while there is none. */
  readonly pausedUntil?: number;
}

/** 128 random bits; `randomUUID` isn't available on plain HTTP. */
const randomKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const isSpent = (error: unknown) => error instanceof ApiError && (error.code === 'deleted' || error.code === 'idempotency_conflict');

/** Uploads files a few at a time. A failed file never stops the others. */
export class UploadQueue {
  readonly #options: QueueOptions;
  readonly #listeners = new Set<() => void>();
  readonly #aborts = new Map<number, AbortController>();
  readonly #pauses = new Map<number, NextPause>();
  #batch = new Set<number>();
  #snapshot: QueueSnapshot = { items: [] };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextId = 1;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  getSnapshot = () => this.#snapshot;

  add(files: readonly { file: File; name: string }[], { user, albumId }: Destination = {}): void {
    const items = files.map(({ file, name }): UploadItem => {
      const error = this.#options.refuse?.(file);
      return {
        id: this.#nextId++,
        idempotencyKey: randomKey(),
        file,
        name,
        user,
        albumId,
        state: error ? 'failed' : 'waiting',
        sent: 0,
        speed: 0,
        error,
      };
    });
    for (const item of items) this.#batch.add(item.id);
    this.#publish({ items: [...this.#snapshot.items, ...items] });
    this.#pump();
  }

  cancel(id: number): void {
    const item = this.#find(id);
    if (!item || !isOpen(item)) return;
    this.#update(id, { state: 'cancelled', speed: 0 });
    this.#aborts.get(id)?.abort(new DOMException('Cancelled', 'AbortError'));
    this.#pump();
  }

  cancelAll(): void {
    for (const item of this.#snapshot.items) this.cancel(item.id);
  }

  retry(id: number): void {
    const item = this.#find(id);
    if (!item || isOpen(item) || item.state === 'done') return;
    this.#pauses.delete(id);
    this.#batch.add(id);
    const user = this.#options.user?.() ?? item.user;
    // A key whose image is gone, or that another upload has taken, would only be refused again.
    const idempotencyKey = isSpent(item.error) ? randomKey() : item.idempotencyKey;
    this.#update(id, { idempotencyKey, user, state: 'waiting', sent: 0, speed: 0, error: undefined });
    this.#pump();
  }

  retryFailed(): void {
    for (const item of this.#snapshot.items) if (item.state === 'failed') this.retry(item.id);
  }

  dismiss(id: number): void {
    this.cancel(id);
    this.#publish({ items: this.#snapshot.items.filter((item) => item.id !== id) });
  }

  /** Removes everything finished. */
  clear(): void {
    this.#publish({ items: this.#snapshot.items.filter(isOpen) });
  }

  #find(id: number) {
    return this.#snapshot.items.find((item) => item.id === id);
  }

  #pump(): void {
    const { items, pausedUntil } = this.#snapshot;
    if (pausedUntil === undefined) {
      const room = (this.#options.parallel ?? 3) - items.filter(isRunning).length;
      for (const item of items.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, room))) void this.#run(item);
    }
    if (this.#batch.size && !this.#snapshot.items.some(isOpen)) this.#drain();
  }

  async #run(item: UploadItem): Promise<void> {
    const { id, file } = item;
    const abort = new AbortController();
    const now = this.#options.now ?? Date.now;
    const speedometer = new Speedometer(now());
    this.#aborts.set(id, abort);
    this.#update(id, { state: 'sending', sent: 0, speed: 0 });
    const onProgress = ({ sent, total }: Progress) => {
      if (abort.signal.aborted) return;
      this.#update(id, { state: sent >= total ? 'processing' : 'sending', sent, speed: speedometer.at(sent, now()) });
    };
    try {
      const image = await this.#options.send(item, onProgress, abort.signal);
      this.#update(id, { state: 'done', sent: file.size, image });
      const uploaded = this.#find(id);
      if (uploaded) this.#options.onUploaded?.(uploaded);
    } catch (error) {
      if (!abort.signal.aborted) this.#fail(id, error);
    } finally {
      if (this.#aborts.get(id) === abort) this.#aborts.delete(id);
      this.#pump();
    }
  }

  #fail(id: number, error: unknown): void {
    const nextPause = this.#pauses.get(id) ?? countRetries({ maxWait: MAX_WAIT });
    this.#pauses.set(id, nextPause);
    const pause = nextPause(error);
    if (!pause) {
      this.#update(id, { state: 'failed', speed: 0, error });
      this.#options.onFailed?.(error);
      return;
    }
    this.#update(id, { state: 'waiting', sent: 0, speed: 0 });
    this.#pause(pause.seconds);
  }

  /** Holds back everything not yet started: the reason for one file to wait applies to the next one too. */
  #pause(seconds: number): void {
    const now = (this.#options.now ?? Date.now)();
    const until = Math.max(this.#snapshot.pausedUntil ?? 0, now + seconds * 1000);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#publish({ pausedUntil: undefined });
      this.#pump();
    }, until - now);
    this.#publish({ pausedUntil: until });
  }

  #drain(): void {
    const batch = this.#batch;
    this.#batch = new Set();
    this.#options.onDrained?.(this.#snapshot.items.filter((item) => batch.has(item.id)));
  }

  #update(id: number, change: Partial<UploadItem>): void {
    this.#publish({ items: this.#snapshot.items.map((item) => (item.id === id ? { ...item, ...change } : item)) });
  }

  #publish(change: Partial<QueueSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}

import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';

type ItemState = 'queued' | 'uploading' | 'done' | 'failed' | 'discarded';

/** One upload. A failed one stays in the queue, with its reason, until it is retried or discarded. */
export interface QueueItem<S, R> {
  readonly id: string;
  readonly source: S;
  readonly state: ItemState;
  readonly result?: R;
  readonly error?: unknown;
}

export interface Queue<S, R> {
  /** Adds sources in order. Each promise resolves when its upload is done, failed or discarded; none rejects. */
  add(sources: readonly S[]): { id: string; settled: Promise<QueueItem<S, R>> }[];
  /** Retries a failed upload; undefined when it doesn't exist. */
  retry(id: string): Promise<QueueItem<S, R>> | undefined;
  /** Removes a waiting or failed upload. */
  discard(id: string): void;
  /** Uploads that aren't done. */
  items(): QueueItem<S, R>[];
  /** Returns a function that ends the subscription. */
  onChange(listener: (item: QueueItem<S, R>) => void): () => void;
  /** Starts no more uploads; resolves when those in progress have settled. */
  close(): Promise<void>;
}

interface Entry<S, R> {
  item: QueueItem<S, R>;
  settled: PromiseWithResolvers<QueueItem<S, R>>;
}

/** Uploads in the order given, `parallel` at a time. One that fails never stops the others. */
export function createQueue<S, R>({ parallel, run }: { parallel: number; run(source: S): Promise<R> }): Queue<S, R> {
  const entries = new Map<string, Entry<S, R>>();
  const waiting: string[] = [];
  const running = new Set<Promise<void>>();
  const events = new EventEmitter<{ change: [QueueItem<S, R>] }>();
  let closed = false;

  function change(entry: Entry<S, R>, next: Partial<QueueItem<S, R>>) {
    entry.item = { ...entry.item, ...next };
    if (entry.item.state === 'done' || entry.item.state === 'discarded') entries.delete(entry.item.id);
    events.emit('change', entry.item);
    if (entry.item.state !== 'queued' && entry.item.state !== 'uploading') entry.settled.resolve(entry.item);
  }

  function enqueue(entry: Entry<S, R>) {
    entries.set(entry.item.id, entry);
    waiting.push(entry.item.id);
    events.emit('change', entry.item);
    return entry.settled.promise;
  }

  function fill() {
    while (!closed && running.size < parallel) {
      const id = waiting.shift();
      if (id === undefined) return;
      const entry = entries.get(id);
      if (!entry) continue;
      const work = attempt(entry).finally(() => {
        running.delete(work);
        fill();
      });
      running.add(work);
    }
  }

  async function attempt(entry: Entry<S, R>) {
    change(entry, { state: 'uploading' });
    try {
      change(entry, { state: 'done', result: await run(entry.item.source) });
    } catch (error) {
      change(entry, { state: 'failed', error });
    }
  }

  return {
    add(sources) {
      const added = sources.map((source) => {
        const item: QueueItem<S, R> = { id: randomUUID(), source, state: 'queued' };
        return { id: item.id, settled: enqueue({ item, settled: Promise.withResolvers() }) };
      });
      fill();
      return added;
    },
    retry(id) {
      const entry = entries.get(id);
      if (entry?.item.state !== 'failed') return undefined;
      const settled = enqueue({ item: { id, source: entry.item.source, state: 'queued' }, settled: Promise.withResolvers() });
      fill();
      return settled;
    },
    discard(id) {
      const entry = entries.get(id);
      if (entry?.item.state !== 'failed' && entry?.item.state !== 'queued') return;
      change(entry, { state: 'discarded' });
    },
    items: () => [...entries.values()].map(({ item }) => item),
    onChange(listener) {
      events.on('change', listener);
      return () => void events.off('change', listener);
    },
    async close() {
      closed = true;
      await Promise.all(running);
    },
  };
}

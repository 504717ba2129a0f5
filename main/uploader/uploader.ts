import type { UploadEvent } from '#api/desktop/uploads.ts';
import type { DesktopLinkFormat } from '#api/link-formats.ts';
import type { Uploaded } from '#api/upload.ts';
import type { Queue, QueueItem } from './queue.ts';
import type { Captures, Source } from './sources.ts';

export type UploadItem = QueueItem<Source, Uploaded>;

/** Options for delivering the links of a batch. */
export interface DeliveryOptions {
  /** Default: the preference. */
  format?: DesktopLinkFormat | undefined;
  /** The text of each link, in place of a format. */
  template?: string | undefined;
  /** Whether they may replace the clipboard's content, evaluated once they exist; default: yes. */
  mayReplace?(): Promise<boolean>;
}

/** The result of a batch. */
export interface Batch {
  done: Uploaded[];
  failed: { name: string; error: unknown }[];
  /** Undefined: not requested just now, so the clipboard is left alone. */
  links?: DeliveryOptions | undefined;
}

/** A batch, and whether its links were copied. */
export interface Delivered extends Batch {
  copied: boolean;
}

interface Options {
  queue: Queue<Source, Uploaded>;
  captures: Captures;
  /** Called for each settled batch unless all of it was discarded. Resolves to whether the links were copied. */
  deliver(batch: Batch): Promise<boolean>;
}

/** Main's uploader, for everything that doesn't come from a page. */
export interface Uploader {
  /** Queues a batch, whose links are delivered together. Returns its ids and a promise of the result. */
  upload(sources: readonly Source[], links?: DeliveryOptions): { ids: string[]; delivered: Promise<Delivered> };
  /** Queues pictures for a caller that reports the results itself: one promise each, in order. None rejects. */
  send(sources: readonly Source[]): Promise<UploadItem>[];
  /** Queues the captures of an earlier run. */
  resume(sources: readonly Source[]): void;
  retry(id: string): void;
  retryAll(): void;
  discard(id: string): void;
  items(): UploadItem[];
  /** Returns a function that ends the subscription. */
  onChange(listener: (item: UploadItem) => void): () => void;
  close(): Promise<void>;
}

export function createUploader({ queue, captures, deliver }: Options): Uploader {
  queue.onChange(({ state, source }) => {
    if (state !== 'done' && state !== 'discarded') return;
    captures.remove(source).catch((error: unknown) => console.error('A capture could not be removed:', error));
  });

  async function settle(promises: readonly Promise<UploadItem>[], links?: DeliveryOptions): Promise<Delivered> {
    const items = await Promise.all(promises);
    const done = items.flatMap(({ result }) => (result ? [result] : []));
    const failed = items.filter(({ state }) => state === 'failed').map(({ source, error }) => ({ name: source.name, error }));
    const batch = { links, done, failed };
    return { ...batch, copied: done.length + failed.length > 0 && (await deliver(batch)) };
  }

  function retry(ids: readonly string[]) {
    const promises = ids.map((id) => queue.retry(id)).filter((promise) => promise !== undefined);
    if (promises.length) void settle(promises, {});
  }

  function add(sources: readonly Source[], links?: DeliveryOptions) {
    const added = queue.add(sources);
    const delivered = settle(
      added.map(({ settled }) => settled),
      links,
    );
    return { ids: added.map(({ id }) => id), delivered };
  }

  return {
    upload: (sources, links = {}) => add(sources, links),
    send: (sources) => queue.add(sources).map(({ settled }) => settled),
    resume: (sources) => void add(sources),
    retry: (id) => retry([id]),
    retryAll: () =>
      retry(
        queue
          .items()
          .filter(({ state }) => state === 'failed')
          .map(({ id }) => id),
      ),
    discard: (id) => queue.discard(id),
    items: () => queue.items(),
    onChange: (listener) => queue.onChange(listener),
    close: () => queue.close(),
  };
}

/** An item as sent to pages. */
export function presentUpload({ id, source, state, result, error }: UploadItem, describe: (error: unknown) => string): UploadEvent {
  return { id, name: source.name, state, key: result?.key, reason: state === 'failed' ? describe(error) : undefined };
}

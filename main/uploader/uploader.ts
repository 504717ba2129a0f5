import type { UploadEvent } from '#api/desktop.ts';
import type { LinkFormat } from '#api/link-formats.ts';
import type { Uploaded } from '#api/upload.ts';
import type { Queue, QueueItem } from './queue.ts';
import type { Captures, Source } from './sources.ts';

export type UploadItem = QueueItem<Source, Uploaded>;

/** What is to be done with the links of pictures that were given together. */
export interface LinkWishes {
  /** Default: as in the preferences. */
  format?: LinkFormat | undefined;
  /** Whether they may take the place of what is in the clipboard, asked when they are there; default: yes. */
  mayReplace?(): Promise<boolean>;
}

/** What came of pictures that were given together. */
export interface Batch {
  done: Uploaded[];
  failed: { name: string; error: unknown }[];
  /** Undefined: nobody has just asked for them, and the clipboard is left alone. */
  links?: LinkWishes | undefined;
}

/** A batch and whether its links are in the clipboard. */
export interface Delivered extends Batch {
  copied: boolean;
}

interface Options {
  queue: Queue<Source, Uploaded>;
  captures: Captures;
  /** Called for each batch that has settled; not for one that was discarded as a whole. Answers whether the links were copied. */
  deliver(batch: Batch): Promise<boolean>;
}

/** Main's side of uploading: everything that does not come through a page. */
export interface Uploader {
  /** Queues pictures that belong together; their links are delivered together. Answers their ids, and in the end what came of them. */
  upload(sources: readonly Source[], links?: LinkWishes): { ids: string[]; delivered: Promise<Delivered> };
  /** Queues pictures for somebody who tells by themselves what comes of them: one promise each, in order, and none rejects. */
  send(sources: readonly Source[]): Promise<UploadItem>[];
  /** Queues what an earlier run of the app has left. */
  resume(sources: readonly Source[]): void;
  retry(id: string): void;
  retryAll(): void;
  discard(id: string): void;
  items(): UploadItem[];
  /** Returns what ends the subscription. */
  onChange(listener: (item: UploadItem) => void): () => void;
  close(): Promise<void>;
}

export function createUploader({ queue, captures, deliver }: Options): Uploader {
  queue.onChange(({ state, source }) => {
    if (state !== 'done' && state !== 'discarded') return;
    captures.remove(source).catch((error: unknown) => console.error('A capture could not be removed:', error));
  });

  async function settle(promises: readonly Promise<UploadItem>[], links?: LinkWishes): Promise<Delivered> {
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

  function add(sources: readonly Source[], links?: LinkWishes) {
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

/** An item as pages are told about it. */
export function presentUpload({ id, source, state, result, error }: UploadItem, describe: (error: unknown) => string): UploadEvent {
  return { id, name: source.name, state, key: result?.key, reason: state === 'failed' ? describe(error) : undefined };
}

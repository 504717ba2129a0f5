import { EventEmitter } from 'node:events';
import type { UploadAction, UploadSection, UploadSummary } from '#api/desktop/uploads.ts';
import type { FormFields } from '#api/images/upload.ts';
import { type Failure, Reason } from '#main/base/reasons.ts';
import type { Batch, DeliveryOptions, Origin } from '#main/journal/batches.ts';
import { type Item, type ItemState, LANE, type NewItem, type SentImage } from '#main/journal/item.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { Account } from '#main/service/account.ts';
import type { Queue } from './queue.ts';
import type { Spool } from './spool.ts';

/** Number of uploads that one action changes at a time. */
const PORTION = 200;

/** The states of each list of uploads. */
const SECTIONS: Record<UploadSection, readonly ItemState[]> = {
  draft: ['draft'],
  open: ['sending', 'queued', 'paused'],
  failed: ['failed'],
  done: ['done'],
};

/** The result of a batch, to be delivered. */
export interface BatchResult extends Pick<Batch, 'origin' | 'links'> {
  /** It was asked for before the app was started: the clipboard has other content by now, unless it carries the mark. */
  late: boolean;
  /** Undefined if it never was in the journal. */
  id?: string;
  done: SentImage[];
  failed: { id?: string; name: string; failure: Failure }[];
}

/** A batch whose result was delivered, and whether its links were copied. */
export interface Delivered extends BatchResult {
  copied: boolean;
}

/** An upload that has ended; `image` with its link for deletion, while the app still runs. */
export interface Ended {
  item: Item;
  image: SentImage | undefined;
  /** Whether all others of its batch have ended, too. */
  isLast: boolean;
}

/** Uploads that a person has asked for, in one batch: new ones, drafts that are sent, or failed ones that are tried again. */
export interface Added {
  ids: readonly string[];
  batchId: string;
  origin: Origin;
}

interface Options {
  journal: Journal;
  queue: Queue;
  spool: Spool;
  account: Pick<Account, 'id'>;
  /** Called for each batch with a result. Resolves to whether the links were copied. */
  deliver(batch: BatchResult): Promise<boolean>;
  /** Saves a copy of a file that has been uploaded, before the app's own is removed. Never rejects. */
  keepCopy(item: Item, origin: Origin | undefined): Promise<void>;
  /** Fields of uploads that don't set them. Editors have their own. */
  usual(): FormFields;
}

/** Main's uploads. Accepted means that they survive a crash of the app and a power cut. */
export interface Uploader {
  /** Queues files that a person waits for. `links`: null if they aren't to be copied. `delivered` is the batch's result once all of it has ended. */
  upload(files: readonly NewItem[], origin: Origin, links?: DeliveryOptions | null): { ids: string[]; delivered: Promise<Delivered> };
  /** Keeps files as drafts, each of its own batch, and returns their ids. `links` as in {@link upload}. */
  keep(files: readonly NewItem[], origin: Origin, links?: DeliveryOptions): string[];
  /** Lists a recording, whose file still grows, so that a crash can't lose it. */
  beginRecording(file: NewItem): string;
  /** Makes it a draft of this size in bytes. */
  endRecording(id: string, size: number): void;
  /** Recordings that an earlier run hasn't ended. */
  recordings(): Item[];
  /** Undefined once it is sent or discarded. */
  draft(id: string): Item | undefined;
  /** Keeps what is drawn on a draft; null: nothing. Resolves once a power cut can't lose it. */
  keepMarks(id: string, marks: string | null): void;
  /**
   * Queues a draft, whose link then replaces whatever is on the clipboard. `file`: a spooled picture that is sent in its place. `sendsOn` as in
   * {@link DeliveryOptions}. Resolves once
   * nothing is left of the draft's marks, nor of its own picture if another one is sent.
   * @throws Reason `draftGone` unless it is a draft
   */
  sendDraft(id: string, file?: NewItem, sendsOn?: boolean): Promise<void>;
  /** Ends a draft. Resolves once nothing is left of it. */
  discardDraft(id: string): Promise<void>;
  /** Queues files for an editor, which reports the results itself: one promise each, in order. None rejects. */
  send(files: readonly NewItem[]): Promise<Ended>[];
  /** Queues what an earlier run had kept. The links aren't copied. */
  resume(files: readonly NewItem[]): void;
  /** Wakes the queue, which looks for uploads in the journal. */
  wake(): void;
  /** `all`: all that the action applies to; a function is asked when it is their turn. */
  change(action: UploadAction, ids: readonly string[] | 'all' | (() => readonly string[])): void;
  setPaused(paused: boolean): void;
  summary(): UploadSummary;
  /** Why all uploads wait. */
  waitsFor(): Failure | undefined;
  list(section: UploadSection, limit: number, offset: number): Item[];
  progress: Queue['progress'];
  share: Queue['share'];
  /** Calls back after each change. Returns a function that ends the subscription. */
  onChange(listener: () => void): () => void;
  /** Calls back before the queue takes them. */
  onAdded(listener: (added: Added) => void): void;
  onEnded(listener: (ended: Ended) => void): void;
  close(): Promise<void>;
}

/** `fromEnd`: the last first, so that what is sent in the meantime isn't what is about to be stopped. */
interface Action {
  applies: readonly ItemState[];
  run(ids: readonly string[]): void;
  fromEnd?: boolean;
}

export function createUploader({ journal, queue, spool, account, deliver, keepCopy, usual }: Options): Uploader {
  const { items, batches } = journal;
  const events = new EventEmitter<{ change: []; added: [Added]; ended: [Ended] }>();
  /** Callers that wait, by item and by batch. Batches of earlier runs have none. */
  const waiting = new Map<string, (ended: Ended) => void>();
  const deliveries = new Map<string, (result: Delivered) => void>();
  /** Batches of this run. */
  const recent = new Set<string>();
  /** Images with their links for deletion, until their batch is delivered. */
  const images = new Map<string, SentImage>();
  const delivering = new Set<string>();
  let finished = 0;

  queue.onChange((item, image) => {
    if (item) end(item, image);
    events.emit('change');
  });

  function end(item: Item, image: SentImage | undefined) {
    if (item.state === 'done') finished += 1;
    void tidyAfter(item);
    if (image && deliveries.has(item.batchId)) images.set(item.id, image);
    const isLast = !items.isBatchOpen(item.batchId);
    waiting.get(item.id)?.({ item, image, isLast });
    waiting.delete(item.id);
    events.emit('ended', { item, image, isLast });
    if (isLast) deliverSoon(item.batchId);
  }

  /** What is left to do with the file of an upload that has ended. A crash meanwhile costs the copy on this computer: the picture is on the server. */
  async function tidyAfter(item: Item) {
    if (item.state === 'done') await keepCopy(item, batches.getUndelivered(item.batchId)?.origin);
    if (item.state !== 'failed') await removeFiles(item);
  }

  /** Removes the poster of an upload, and its file unless that is the user's own. What can't be removed is removed at the next start. */
  async function removeFiles(item: Item) {
    const paths = [spool.posterOf(item), ...(item.spooled ? [item.path] : [])];
    await Promise.all(paths.map(spool.remove)).catch((error: unknown) => console.error('Couldn’t remove a file of the spool:', error));
  }

  function deliverSoon(batchId: string) {
    if (delivering.has(batchId)) return;
    delivering.add(batchId);
    deliverBatch(batchId)
      .catch((error: unknown) => console.error('Couldn’t deliver the result of uploads:', error))
      .finally(() => delivering.delete(batchId));
  }

  async function deliverBatch(batchId: string) {
    const batch = batches.getUndelivered(batchId);
    // Dismissing a failed upload ends a batch whose result is known already.
    if (!batch) return;
    const all = items.endedOf(batchId);
    const done = all.flatMap((item) => images.get(item.id) ?? item.image ?? []);
    const failed = all.flatMap(({ id, state, name, failure }) => (state === 'failed' && failure ? { id, name, failure } : []));
    const result: BatchResult = { id: batchId, origin: batch.origin, links: batch.links, late: !recent.has(batchId), done, failed };
    const isAwaited = batch.origin !== 'editor' && done.length + failed.length > 0;
    const copied = isAwaited && (await deliverSafely(result));
    batches.delivered(batchId);
    for (const { id } of all) images.delete(id);
    deliveries.get(batchId)?.({ ...result, copied });
    deliveries.delete(batchId);
    recent.delete(batchId);
  }

  /** Delivers a result and logs a failure: a caller that waits for the batch must get its result even when the user couldn't be notified. */
  async function deliverSafely(result: BatchResult) {
    try {
      return await deliver(result);
    } catch (error) {
      console.error('Couldn’t deliver the result of uploads:', error);
      return false;
    }
  }

  const asUsual = (file: NewItem): NewItem => ({ ...file, fields: { ...usual(), ...file.fields } });

  function add(files: readonly NewItem[], lane: number, origin: Origin, links: DeliveryOptions | undefined) {
    const complete = origin === 'editor' ? files : files.map(asUsual);
    const added = journal.commit(() => {
      const batch = batches.add(origin, links);
      return { batch, ids: items.add(batch, lane, complete) };
    });
    recent.add(added.batch);
    events.emit('added', { ids: added.ids, batchId: added.batch, origin });
    return added;
  }

  function discard(ids: readonly string[]) {
    const gone = items.discard(ids);
    if (gone.some(({ state }) => state === 'draft')) journal.erase();
    const ending = queue.stop(ids);
    for (const item of gone) if (!ending.has(item.id)) end({ ...item, state: 'discarded' }, undefined);
  }

  function findDraft(id: string) {
    const item = items.get(id);
    return item?.state === 'draft' ? item : undefined;
  }

  /** Removes what the journal's files still have of a draft's marks, and its picture unless that is the user's own file. */
  async function removeTraces(draft: Item | undefined) {
    journal.erase();
    if (draft) await removeFiles(draft);
  }

  function retry(ids: readonly string[]) {
    const batch = journal.commit(() => {
      const id = batches.add('retried', {});
      items.retry(ids, id);
      return id;
    });
    recent.add(batch);
    events.emit('added', { ids, batchId: batch, origin: 'retried' });
  }

  function pause(ids: readonly string[]) {
    items.pause(ids);
    queue.stop(ids);
  }

  const actions: Record<UploadAction, Action> = {
    retry: { applies: ['failed'], run: retry },
    discard: { applies: SECTIONS.open, run: discard, fromEnd: true },
    dismiss: { applies: ['failed'], run: discard },
    forget: { applies: ['done'], run: items.forget },
    pause: { applies: ['queued', 'sending'], run: pause, fromEnd: true },
    resume: { applies: ['paused'], run: (ids) => items.resume(ids) },
  };

  /** Changes in the order they were asked for, each in batches: thousands at once would keep main from responding for a second. */
  const changes: (() => (() => void)[])[] = [];
  let portions: (() => void)[] = [];
  let isChanging = false;

  function changeNext() {
    isChanging = true;
    try {
      if (portions.length === 0) portions = changes.shift()?.() ?? [];
      portions.shift()?.();
    } catch (error) {
      console.error('Couldn’t change uploads:', error);
    }
    if (portions.length + changes.length > 0) return void setImmediate(changeNext);
    isChanging = false;
    queue.wake();
  }

  function portionsOf({ applies, run, fromEnd }: Action, ids: readonly string[] | 'all' | (() => readonly string[])) {
    const chosen = ids === 'all' ? items.ids(applies) : typeof ids === 'function' ? ids() : ids;
    const ordered = fromEnd ? chosen.toReversed() : chosen;
    return Array.from({ length: Math.ceil(ordered.length / PORTION) }, (_, index) => {
      const portion = ordered.slice(index * PORTION, (index + 1) * PORTION);
      return () => run(portion);
    });
  }

  const deliverEnded = () => {
    for (const { id } of batches.undelivered()) if (!items.isBatchOpen(id)) deliverSoon(id);
  };
  deliverEnded();

  return {
    upload(files, origin, links = {}) {
      const { batch, ids } = add(files, LANE.person, origin, links ?? undefined);
      const { promise, resolve } = Promise.withResolvers<Delivered>();
      deliveries.set(batch, resolve);
      queue.wake();
      if (ids.length === 0) deliverSoon(batch);
      return { ids, delivered: promise };
    },
    keep(files, origin, links = {}) {
      const ids = journal.commit(() =>
        files.flatMap((file) => items.add(batches.add(origin, links), LANE.person, [{ ...asUsual(file), isDraft: true }])),
      );
      events.emit('change');
      return ids;
    },
    beginRecording: (file) =>
      journal.commit(() => items.add(batches.add('capture', {}), LANE.person, [{ ...asUsual(file), isRecording: true }]))[0] ?? '',
    endRecording(id, size) {
      items.endRecording(id, size);
      events.emit('change');
    },
    recordings: () => items.list(['recording'], PORTION, 0),
    draft: findDraft,
    keepMarks(id, marks) {
      const wasMarked = findDraft(id)?.marks !== undefined;
      items.keepMarks(id, marks);
      // Lists show whether something is drawn.
      if (wasMarked !== (marks !== null)) events.emit('change');
    },
    async sendDraft(id, file, sendsOn = false) {
      const draft = findDraft(id);
      if (!draft) throw new Reason('draftGone');
      const before = batches.getUndelivered(draft.batchId);
      const origin = before?.origin ?? 'capture';
      const batch = journal.commit(() => {
        const next = batches.add(origin, { ...before?.links, mark: undefined, ...(sendsOn && { sendsOn }) });
        items.sendDraft(id, next, file);
        return next;
      });
      recent.add(batch);
      events.emit('added', { ids: [id], batchId: batch, origin });
      await removeTraces(file ? draft : undefined);
      queue.wake();
      events.emit('change');
    },
    async discardDraft(id) {
      const draft = findDraft(id);
      if (!draft) return;
      items.discard([id]);
      await removeTraces(draft);
      end({ ...draft, state: 'discarded' }, undefined);
      events.emit('change');
    },
    send(files) {
      const { ids } = add(files, LANE.editor, 'editor', undefined);
      const ended = ids.map((id) => {
        const { promise, resolve } = Promise.withResolvers<Ended>();
        waiting.set(id, resolve);
        return promise;
      });
      queue.wake();
      return ended;
    },
    resume(files) {
      add(files, LANE.person, 'clipboard', undefined);
      queue.wake();
    },
    wake() {
      queue.wake();
      // A watch folder's file that is gone may have been the last of its batch.
      deliverEnded();
    },
    change(action, ids) {
      changes.push(() => portionsOf(actions[action], ids));
      if (!isChanging) changeNext();
    },
    setPaused: queue.setPaused,
    summary() {
      const { draft, sending, queued, paused, failed } = items.counts();
      const id = account.id();
      return {
        drafts: draft,
        sending,
        queued,
        paused,
        failed,
        forOthers: id === undefined ? 0 : items.countForOthers(id),
        done: items.countDoneSince(0),
        doneToday: items.countDoneSince(new Date().setHours(0, 0, 0, 0)),
        finished,
        isPaused: queue.isPaused(),
        isWaiting: queue.waitsFor() !== undefined,
      };
    },
    waitsFor: queue.waitsFor,
    list: (section, limit, offset) => items.list(SECTIONS[section], limit, offset),
    progress: queue.progress,
    share: queue.share,
    onChange(listener) {
      events.on('change', listener);
      return () => void events.off('change', listener);
    },
    onAdded: (listener) => void events.on('added', listener),
    onEnded: (listener) => void events.on('ended', listener),
    close: queue.close,
  };
}

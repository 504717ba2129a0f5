import { randomUUID } from 'node:crypto';
import { join, posix } from 'node:path';
import type { AfterCapture } from '#api/desktop/preferences.ts';
import { albumFields } from '#api/images/album-fields.ts';
import { convertField } from '#api/images/convert-field.ts';
import type { Clock } from '#main/base/clock.ts';
import { failureOf, Reason } from '#main/base/reasons.ts';
import type { Folder } from '#main/journal/folders.ts';
import { LANE, type NewItem } from '#main/journal/item.ts';
import type { Journal } from '#main/journal/journal.ts';
import { isOfTheFile, type Seen } from '#main/journal/seen.ts';
import { verdictOf } from '#main/uploader/backoff.ts';
import { takenAt } from '#transfer/taken-at.ts';
import { timeInName } from './file-name-dates.ts';
import type { StableFile } from './write-stability.ts';

/** Files written to the journal in one commit. */
const CHUNK = 200;
/** How long a stable file waits for others, so that they are written together. */
const BATCH_DELAY_MS = 30;
/** Until what failed is tried again. */
const RETRY_DELAY_MS = 10_000;

/** The albums of a file and the account that has them. */
export interface AlbumChoice {
  ids: string[];
  account: string | undefined;
}

interface Options {
  journal: Journal;
  clock: Clock;
  /** The folder as it is now. */
  folder(): Folder;
  /** The albums for a file, created if missing; undefined: none. Rejects while the service is unavailable. */
  albumOf(relPath: string): Promise<AlbumChoice | undefined>;
  /** Whether the folder has a file with this path. */
  exists(relPath: string): Promise<boolean>;
  /** Wakes the queue. */
  wake(): void;
  /** Called with new drafts, in a folder whose pictures aren't uploaded at once. */
  onDrafts(ids: readonly string[], what: Exclude<AfterCapture, 'upload'>): void;
  /** Looks at a file again later, when its earlier version has been sent. */
  again(relPath: string): void;
  /** Called when other files wait than before. `failed`: why some of them have to. */
  onChange(failed?: unknown): void;
}

/** Puts stable files into the queue, each content of a folder once. */
export interface Dedupe {
  add(file: StableFile): void;
  size(): number;
  clear(): void;
}

/** What is known about a file before the commit; everything else is decided inside it. */
interface Prepared {
  file: StableFile;
  album: AlbumChoice | undefined;
  /** The other file with the same content, or one that was there before, is no longer in its place. */
  movedFrom: string | undefined;
  /** Whether it looked like a file to upload, so that its album was asked for. */
  isUpload: boolean;
}

type FolderItem = NewItem & { id: string };

export function createDedupe(options: Options): Dedupe {
  const { journal, clock } = options;
  const { seen, events, items } = journal;
  let waiting: StableFile[] = [];
  /** Files whose album isn't available just now; they don't keep the others waiting. */
  let stuck: StableFile[] = [];
  let working = false;
  let generation = 0;
  let planned = false;
  let cancelPlan = (): void => undefined;

  async function work() {
    planned = false;
    if (working) return;
    working = true;
    const mine = generation;
    waiting = [...stuck, ...waiting];
    stuck = [];
    let failure: unknown;
    try {
      while (waiting.length > 0 && mine === generation) {
        const chunk = waiting.slice(0, CHUNK);
        const results = await Promise.allSettled(chunk.map(prepare));
        if (mine !== generation) break;
        commit(results.filter((result) => result.status === 'fulfilled').map(({ value }) => value));
        waiting = waiting.slice(chunk.length);
        stuck.push(...chunk.filter((_file, index) => results[index]?.status === 'rejected'));
        failure = results.find((result) => result.status === 'rejected')?.reason ?? failure;
        options.wake();
        options.onChange(failure);
        // A refused album concerns its own files; without the service, no album is available.
        if (failure !== undefined && verdictOf(failure, 0).what === 'hold') break;
      }
    } catch (error) {
      failure = error;
      if (mine === generation) options.onChange(error);
    } finally {
      working = false;
    }
    if (mine === generation && failure !== undefined) {
      planned = true;
      cancelPlan = clock.after(RETRY_DELAY_MS, () => void work());
    } else if (mine !== generation && waiting.length > 0) void work();
  }

  async function prepare(file: StableFile): Promise<Prepared> {
    const { id } = options.folder();
    const known = seen.get(id, file.relPath);
    if (isKnown(known, file) || file.size === 0) return { file, album: undefined, movedFrom: undefined, isUpload: false };
    const twin = seen.withContent(id, file.sha256, file.relPath);
    const before = twin ?? (known ? undefined : seen.existingLike(id, file));
    // What a file held before it was changed has no place of its own.
    const isMoved = before && before.outcome !== 'replaced' && !(await options.exists(before.relPath));
    const movedFrom = isMoved ? before.relPath : undefined;
    const isUpload = twin ? twin.outcome === 'queued' && movedFrom !== undefined : movedFrom === undefined;
    return { file, album: isUpload ? await options.albumOf(file.relPath) : undefined, movedFrom, isUpload };
  }

  /** Commits a chunk of files. Two of them may have the same content, so each is compared with what the ones before it left. */
  function commit(prepared: readonly Prepared[]) {
    const folder = options.folder();
    const { copyLinks, review } = folder.options;
    const fresh = journal.commit(() => {
      const decided = prepared.map((file) => decide(folder, file)).filter((item) => item !== undefined);
      const addBatch = () => journal.batches.add('folder', copyLinks ? {} : undefined);
      if (review !== 'upload') for (const item of decided) items.add(addBatch(), LANE.person, [{ ...item, isDraft: true }]);
      else if (decided.length > 0) items.add(addBatch(), LANE.folder, decided);
      return decided;
    });
    if (review !== 'upload' && fresh.length > 0)
      options.onDrafts(
        fresh.map(({ id }) => id),
        review,
      );
  }

  function decide(folder: Folder, { file, album, movedFrom, isUpload }: Prepared): FolderItem | undefined {
    const { relPath, size, modified, sha256, inode } = file;
    const version = { relPath, size, modified, sha256 };
    const known = seen.get(folder.id, relPath);
    if (isKnown(known, file)) {
      seen.touch(folder.id, version);
      return undefined;
    }
    if (size === 0) {
      seen.note(folder.id, version, { outcome: 'rejected', failure: failureOf(new Reason('fileEmpty')) });
      return undefined;
    }
    if (!dropOlder(known)) {
      options.again(relPath);
      return undefined;
    }
    const twin = seen.withContent(folder.id, sha256, relPath);
    if (twin && !(movedFrom === twin.relPath && dropUnsent(folder, twin))) {
      const other = twin.outcome === 'replaced' ? posix.dirname(twin.relPath) : twin.relPath;
      seen.note(folder.id, version, { outcome: movedFrom === undefined ? 'duplicate' : 'moved', other });
      return undefined;
    }
    if (!twin && movedFrom !== undefined) {
      seen.note(folder.id, { relPath, size, modified, inode }, { outcome: 'existing', silent: true });
      events.add(folder.id, relPath, 'moved', { other: movedFrom });
      seen.forget(folder.id, movedFrom);
      return undefined;
    }
    if (!isUpload) {
      options.again(relPath);
      return undefined;
    }
    const id = randomUUID();
    seen.note(folder.id, version, { outcome: 'queued', itemId: id });
    return itemOf(id, folder, file, album);
  }

  /** Takes an earlier version of the file out of the queue. False while it is being sent. */
  function dropOlder(known: Seen | undefined): boolean {
    const item = known?.itemId === undefined ? undefined : items.get(known.itemId);
    if (!item || item.state === 'done' || item.state === 'discarded') return true;
    if (item.state === 'sending') return false;
    items.changed(item.id);
    return true;
  }

  /** Drops the upload of a file that was moved before it was sent: it is sent from its new place. */
  function dropUnsent(folder: Folder, twin: Seen): boolean {
    const item = twin.outcome === 'queued' && twin.itemId !== undefined ? items.get(twin.itemId) : undefined;
    if (item?.state !== 'queued' && item?.state !== 'paused') return false;
    items.changed(item.id);
    events.add(folder.id, twin.relPath, 'gone');
    return true;
  }

  return {
    add(file) {
      waiting.push(file);
      if (working || planned) return;
      planned = true;
      cancelPlan = clock.after(BATCH_DELAY_MS, () => void work());
    },
    size: () => waiting.length + stuck.length,
    clear() {
      generation += 1;
      waiting = [];
      stuck = [];
      planned = false;
      cancelPlan();
    },
  };
}

/** Whether a file has been dealt with in this version. One that was there before has no content on record. */
function isKnown(known: Seen | undefined, { size, modified, sha256 }: StableFile): boolean {
  if (!known || known.outcome === 'skipped') return false;
  if (known.sha256 === undefined) return known.outcome === 'existing' && known.size === size && known.modified === modified;
  return known.sha256 === sha256 && !(known.outcome === 'rejected' && isOfTheFile(known.failure));
}

function itemOf(id: string, { id: folderId, path, options }: Folder, file: StableFile, album: AlbumChoice | undefined): FolderItem {
  const { relPath, size, modified, sha256 } = file;
  const name = posix.basename(relPath);
  return {
    id,
    path: join(path, ...relPath.split('/')),
    name,
    spooled: false,
    fields: {
      visibility: options.visibility,
      ...convertField(options.convert),
      ...(album && albumFields(album.ids)),
      ...takenAt(timeInName(name) ?? modified),
    },
    // Albums belong to one account.
    account: album?.account,
    size,
    modified,
    sha256,
    folder: { id: folderId, relPath },
    postUpload: options.after.kind !== 'keep',
  };
}

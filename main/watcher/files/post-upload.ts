import type { BigIntStats } from 'node:fs';
import { access, link, lstat, mkdir, rename, unlink } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { isHeldBy, rootOf } from '#main/base/files/inside.ts';
import { failureOf, Reason } from '#main/base/reasons.ts';
import type { Folder } from '#main/journal/folders.ts';
import type { Item } from '#main/journal/item.ts';
import type { Journal } from '#main/journal/journal.ts';
import { isMissing, toMilliseconds } from './content.ts';

/** Files dealt with before others have their turn. */
const CHUNK = 50;
/** Names tried for a file whose name is taken. */
const MAX_NAMES = 1_000;

/** What a file system knows a file by, exactly: some use all 64 bits. */
type FileNumber = Pick<BigIntStats, 'ino' | 'dev'>;

interface Options {
  journal: Pick<Journal, 'items' | 'folders' | 'events' | 'commit'>;
  /** Moves a file to the system's trash. */
  trash(path: string): Promise<void>;
  /** Whether the folder can be reached: a missing drive isn't a missing file. */
  isAvailable(folderId: string): boolean;
}

/** Moves or trashes files once they are uploaded. */
export interface PostUpload {
  /** Does what is pending; failures are tried again the next time. Never rejects. */
  run(): Promise<void>;
}

/** What is pending is on disk, so a crash between a step and its note repeats the step, which then finds nothing to do. */
export function createPostUpload({ journal, trash, isAvailable }: Options): PostUpload {
  const { items, folders, events } = journal;
  /** Uploads whose failure was recorded since the app started. */
  const failed = new Set<string>();
  let running: Promise<void> | undefined;
  let again = false;

  async function finish(item: Item): Promise<boolean> {
    const folder = item.folder && folders.get(item.folder.id);
    if (!item.folder || !folder || folder.options.after.kind === 'keep') {
      items.postUploadDone(item.id);
      return true;
    }
    if (!isAvailable(folder.id)) return false;
    const { relPath } = item.folder;
    try {
      const [what, other] = await act(folder, item, relPath);
      journal.commit(() => {
        items.postUploadDone(item.id);
        if (what) events.add(folder.id, relPath, what, other === undefined ? {} : { other });
      });
      return true;
    } catch (error) {
      if (!failed.has(item.id)) events.add(folder.id, relPath, 'kept', { failure: failureOf(error) });
      failed.add(item.id);
      return false;
    }
  }

  async function act({ path: root, options }: Folder, item: Item, relPath: string): Promise<[what?: string, other?: string]> {
    // What was drawn from it took its place: the file itself is only here.
    if (item.spooled) return ['kept'];
    const found = await lstat(item.path, { bigint: true }).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (!found) return [];
    // Only what was uploaded may leave: this is another version.
    if (Number(found.size) !== item.size || toMilliseconds(found.mtimeNs) !== item.modified) return ['kept'];
    // Nor may what is elsewhere. The folder's path may have changed since.
    if (!found.isFile() || !(await isHeldBy(rootOf(item.path, relPath), item.path))) return ['kept'];
    if (options.after.kind === 'trash') {
      await trash(item.path);
      return ['trashed'];
    }
    if (options.after.kind === 'keep') return [];
    const target = `${options.after.to}/${relPath}`;
    return ['filed', await moveTo(root, item.path, target, found)];
  }

  async function all() {
    do {
      again = false;
      // Those that can't be dealt with stay pending: a second look at the same ones would never end.
      let seen = 0;
      for (;;) {
        const pending = items.postUploadPending(seen + CHUNK).slice(seen);
        for (const item of pending) if (!(await finish(item))) seen += 1;
        if (pending.length < CHUNK) break;
      }
    } while (again);
  }

  return {
    run() {
      again = true;
      running ??= all()
        .catch((error: unknown) => console.error("Couldn't move or trash uploaded files:", error))
        .finally(() => {
          running = undefined;
        });
      return running;
    },
  };
}

/** Moves a file within its folder without ever replacing another; returns its new path there. */
async function moveTo(root: string, from: string, destination: string, file: FileNumber): Promise<string> {
  const ext = extname(destination);
  const stem = destination.slice(0, destination.length - ext.length);
  const target = join(root, ...destination.split('/'));
  await mkdir(dirname(target), { recursive: true });
  if (!(await isHeldBy(root, target))) throw new Reason('targetIsLink');
  for (let number = 1; number <= MAX_NAMES; number++) {
    const relPath = number === 1 ? destination : `${stem} (${number})${ext}`;
    const to = join(root, ...relPath.split('/'));
    if (await place(from, to, file)) return relPath;
  }
  throw new Error(`There are too many files named ${destination}.`);
}

/** Moves a file to a name; returns false if the name is taken. */
async function place(from: string, to: string, file: FileNumber): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // An earlier run may have ended between the two steps.
    if (code === 'EEXIST') {
      const { ino, dev } = await lstat(to, { bigint: true });
      if (ino !== file.ino || dev !== file.dev) return false;
    } else {
      // Some drives know no second name for a file.
      if (await isTaken(to)) return false;
      await rename(from, to);
      return true;
    }
  }
  await unlink(from);
  return true;
}

async function isTaken(path: string) {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

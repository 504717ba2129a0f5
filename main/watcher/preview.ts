import type { FolderPreview } from '#api/desktop/folders.ts';
import { walk } from '#transfer/walk.ts';
import { toMilliseconds } from './files/content.ts';
import type { Selection } from './selection.ts';

/** Files looked at before a preview ends, and the time it may take. */
const MAX_FILES = 200_000;
const TIME_LIMIT_MS = 20_000;
const SAMPLES = 4;

/** What the account may still store, and per file; in bytes, null: unlimited. */
export interface Room {
  left: number | null;
  maxFile: number | null;
}

interface Options {
  path: string;
  selection: Selection;
  /** Whether the file was dealt with in this version. */
  isKnown(relPath: string, size: number, modified: number): boolean;
  /** Undefined while the service can't be asked. */
  room: Promise<Room | undefined>;
  now(): number;
}

/** Counts what a folder would upload. @throws the system's error if the folder can't be read */
export async function preview({ path, selection, isKnown, room, now }: Options): Promise<FolderPreview> {
  const limits = await room;
  const end = now() + TIME_LIMIT_MS;
  const found: FolderPreview = { count: 0, bytes: 0, largest: null, samples: [], seen: 0, tooLarge: 0, complete: true, left: limits?.left };
  const events = {
    onSkip: () => undefined,
    async onError({ relative }: { relative: string }, error: Error) {
      if (relative === '') throw error;
    },
  };
  for await (const { relative, size, mtime } of walk(path, selection, events)) {
    if (isKnown(relative, size, toMilliseconds(mtime))) found.seen += 1;
    else {
      found.count += 1;
      found.bytes += size;
      if (found.samples.length < SAMPLES) found.samples.push(relative);
      if (size > (found.largest?.bytes ?? -1)) found.largest = { name: relative, bytes: size };
      if (limits?.maxFile && size > limits.maxFile) found.tooLarge += 1;
    }
    if (found.count + found.seen >= MAX_FILES || now() > end) return { ...found, complete: false };
  }
  return found;
}

import { open } from 'node:fs/promises';
import type { FolderPreview } from '#api/desktop/folders.ts';
import { hasTrait } from '#api/formats.ts';
import { sniff } from '#server/platform/imaging/sniff.ts';
import { walk } from '#transfer/walk.ts';
import { isMissing, toMilliseconds } from './files/content.ts';
import type { Selection } from './selection.ts';

/** Files looked at before a preview ends, and the time it may take. */
const MAX_FILES = 200_000;
const TIME_LIMIT_MS = 20_000;
const SAMPLES = 4;
/** Bytes at the start of a file, which say what it holds. */
const HEAD_BYTES = 4096;

/** What the account may still store, and per file; in bytes, null: unlimited. */
export interface Room {
  left: number | null;
  maxFile: number | null;
  /** The same of a video. */
  maxVideo: number | null;
  /** Free bytes where the pictures are stored; undefined: not known, or not on a disk of this computer. */
  free?: number | undefined;
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

/** Counts what a folder would upload: not its empty files, nor those whose content isn't a picture. @throws the system's error if the folder can't be read */
export async function preview({ path, selection, isKnown, room, now }: Options): Promise<FolderPreview> {
  const limits = await room;
  const end = now() + TIME_LIMIT_MS;
  const found: FolderPreview = {
    count: 0,
    bytes: 0,
    largest: null,
    samples: [],
    seen: 0,
    tooLarge: 0,
    noPictures: 0,
    unreadable: { count: 0, names: [] },
    complete: true,
    left: limits?.left,
    free: limits?.free,
  };
  function noteUnreadable(relative: string) {
    found.unreadable.count += 1;
    if (found.unreadable.names.length < SAMPLES) found.unreadable.names.push(relative);
  }
  const events = {
    onSkip: () => undefined,
    async onError({ relative }: { relative: string }, error: Error) {
      if (relative === '') throw error;
      if (!isMissing(error)) noteUnreadable(relative);
    },
  };
  let looked = 0;
  for await (const { path: file, relative, size, mtime } of walk(path, selection, events)) {
    looked += 1;
    const what = isKnown(relative, size, toMilliseconds(mtime)) ? 'known' : await contentOf(file, size);
    if (what === 'known') found.seen += 1;
    else if (what === 'unreadable') noteUnreadable(relative);
    else if (what === 'other') found.noPictures += 1;
    else if (what === 'picture' || what === 'video') {
      found.count += 1;
      found.bytes += size;
      if (found.samples.length < SAMPLES) found.samples.push(relative);
      if (size > (found.largest?.bytes ?? -1)) found.largest = { name: relative, bytes: size };
      const largest = what === 'video' ? limits?.maxVideo : limits?.maxFile;
      if (largest && size > largest) found.tooLarge += 1;
    }
    if (looked >= MAX_FILES || now() > end) return { ...found, complete: false };
  }
  return found;
}

/** What a file holds, by its first bytes. */
async function contentOf(path: Buffer, size: number): Promise<'picture' | 'video' | 'other' | 'unreadable' | 'gone'> {
  if (size === 0) return 'other';
  try {
    await using file = await open(path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const format = sniff(buffer.subarray(0, bytesRead));
    return !format ? 'other' : hasTrait(format, 'video') ? 'video' : 'picture';
  } catch (error) {
    return isMissing(error) ? 'gone' : 'unreadable';
  }
}

import { basename } from 'node:path';
import { FOLDER_EVENTS, type FolderEvent, type FolderEventKind, type FolderStatus, type WatchFolder } from '#api/desktop/folders.ts';
import { type Failure, failure } from '#main/base/reasons.ts';
import type { FileEvent } from '#main/journal/events.ts';
import type { Folder } from '#main/journal/folders.ts';
import type { Outcome, Unreadable } from '#main/journal/seen.ts';
import type { WatchState } from './folder-state.ts';
import type { FolderWatch } from './folder-watch.ts';

/** The sentence that the user sees for a failure. */
export type Describe = (failure: Failure) => string;

/** What a folder is called in lists; a drive has no name. */
export function nameOf(path: string): string {
  return basename(path) || path;
}

export function presentFolder(
  { id, path, options }: Folder,
  watch: Pick<FolderWatch, 'state' | 'settling' | 'scannedAt'>,
  counts: Partial<Record<Outcome, number>>,
  unreadable: Unreadable,
  describe: Describe,
): WatchFolder {
  const { queued = 0, uploaded = 0, rejected = 0 } = counts;
  return {
    id,
    path,
    name: nameOf(path),
    options,
    status: presentState(watch.state(), describe),
    counts: { settling: watch.settling(), queued, uploaded, rejected: rejected - unreadable.count },
    unreadable,
    scannedAt: watch.scannedAt() ?? null,
  };
}

export function presentState(state: WatchState, describe: Describe): FolderStatus {
  if ('reason' in state) return { state: state.state, reason: describe(state.reason) };
  if ('notice' in state) return { state: state.state, ...(state.notice && { notice: describe(state.notice) }) };
  return state;
}

/** What each kind of event has as its detail. */
const DETAILS: Partial<Record<FolderEventKind, 'key' | 'other'>> = { uploaded: 'key', duplicate: 'other', moved: 'other', filed: 'other' };

/** Undefined for an event that another version wrote. */
export function presentEvent({ id, relPath, at, what, detail }: FileEvent, describe: Describe): FolderEvent | undefined {
  const kind = FOLDER_EVENTS.find((known) => known === what);
  if (!kind) return undefined;
  const event = { id, file: relPath, at, what: kind };
  if (detail === undefined) return event;
  const name = DETAILS[kind];
  return name ? { ...event, [name]: detail } : { ...event, reason: describe(failure.parse(JSON.parse(detail))) };
}

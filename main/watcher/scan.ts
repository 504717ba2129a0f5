import { type Failure, failureOf, Reason } from '#main/base/reasons.ts';
import type { Folder } from '#main/journal/folders.ts';
import type { Journal } from '#main/journal/journal.ts';
import { type FileVersion, isOfTheFile, type Note, type Outcome, type Seen, type SeenFiles } from '#main/journal/seen.ts';
import type { Skip } from '#transfer/walk.ts';
import { walk } from '#transfer/walk.ts';
import { isMissing, toMilliseconds } from './files/content.ts';
import type { Selection } from './selection.ts';

/** Notes written in one commit. */
const NOTES = 200;

/** The folder disappeared during the scan, or can't be read. */
export class FolderUnavailable extends Error {
  override name = 'FolderUnavailable';
}

interface Options {
  journal: Pick<Journal, 'seen' | 'commit'>;
  folder: Folder;
  selection: Selection;
  /** What to scan, relative to the folder; `''`: all of it. */
  start: string;
  signal: AbortSignal;
  /** Whether an unknown file was wanted before the options changed: it isn't one of those that were there before. */
  isExempt(relPath: string): boolean;
  /** Looks at a file; resolves once there is room for the next. */
  take(relPath: string): Promise<void>;
}

/**
 * Looks through a folder, and takes every file that the journal doesn't know in its present version. What isn't taken is written down
 * with the reason. @throws FolderUnavailable
 */
export async function scan({ journal, folder, selection, start, signal, isExempt, take }: Options): Promise<void> {
  const { seen } = journal;
  let notes: [FileVersion, Note][] = [];
  const unreadable = new Set<string>();

  function write() {
    journal.commit(() => {
      for (const [version, what] of notes) seen.note(folder.id, version, what);
    });
    notes = [];
  }
  function note(version: FileVersion, what: Note) {
    notes.push([version, what]);
    if (notes.length >= NOTES) write();
  }
  function refuse(relPath: string, outcome: 'skipped' | 'rejected', failure: Failure) {
    if (isNoted(seen.get(folder.id, relPath), outcome, failure)) return;
    note({ relPath, size: 0, modified: 0 }, { outcome, failure });
  }

  const events = {
    onSkip(reason: Skip, relPath: string) {
      const failure = skipReason(reason, relPath, selection);
      if (failure) refuse(relPath, 'skipped', failure);
    },
    async onError({ relative }: { relative: string }, error: Error) {
      if (relative === '') throw new FolderUnavailable(error.message, { cause: error });
      if (isMissing(error)) return;
      unreadable.add(relative);
      refuse(relative, 'rejected', failureOf(new Reason('fileUnreadable', { cause: error })));
    },
  };

  for await (const file of walk(folder.path, selection, events, start)) {
    if (signal.aborted) return;
    const relPath = file.relative;
    if (!file.nameIsText) {
      refuse(relPath, 'rejected', failureOf(new Reason('nameNotText')));
      continue;
    }
    const version = { relPath, size: file.size, modified: toMilliseconds(file.mtime), inode: String(file.inode) };
    const known = seen.get(folder.id, relPath);
    if (known && isDealtWith(known, version)) continue;
    const wasThere = folder.since !== null && !folder.options.existing && toMilliseconds(file.ctime) <= folder.since;
    const isOld = known ? known.outcome === 'existing' : !isExempt(relPath);
    if (wasThere && isOld) note(version, { outcome: 'existing', silent: true });
    else await take(relPath);
  }
  write();
  if (start === '') journal.commit(() => seen.forgetReadable(folder.id, unreadable));
}

/** Whether a file is known in this version, and needs no further look. */
export function isDealtWith(known: Seen, version: FileVersion): boolean {
  if (known.outcome === 'skipped' || (known.outcome === 'rejected' && isOfTheFile(known.failure))) return false;
  return known.size === version.size && known.modified === version.modified;
}

/** Records why a file isn't taken, unless that is known. */
export function noteSkipped(seen: SeenFiles, { id }: Folder, relPath: string, selection: Selection) {
  const failure = typeReason(relPath, selection);
  if (!isNoted(seen.get(id, relPath), 'skipped', failure))
    seen.note(id, { relPath, size: 0, modified: 0 }, { outcome: 'skipped', failure });
}

function isNoted(known: Seen | undefined, outcome: Outcome, failure: Failure) {
  return known?.outcome === 'existing' || (known?.outcome === outcome && known.failure?.code === failure.code);
}

function typeReason(relPath: string, selection: Selection): Failure {
  return failureOf(new Reason(selection.takesType(relPath) ? 'fileIgnored' : 'fileIsNoPicture'));
}

function skipReason(reason: Skip, relPath: string, selection: Selection): Failure | undefined {
  if (reason === 'hidden' || reason === 'excluded_folder' || selection.isOutside(relPath)) return undefined;
  if (reason === 'symlink') return failureOf(new Reason('fileIsLink'));
  if (reason === 'special') return failureOf(new Reason('notAFile'));
  return typeReason(relPath, selection);
}

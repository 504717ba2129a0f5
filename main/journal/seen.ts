import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { type Failure, failure } from '#main/base/reasons.ts';
import { transaction } from './database.ts';
import type { EventDetail, Events } from './events.ts';

/** A file as it was when it was looked at. */
export interface FileVersion {
  /** Path in the folder, with `/` as separator. */
  relPath: string;
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** Of the content, in hexadecimal; undefined if it wasn't read. */
  sha256?: string | undefined;
  /** Its inode number, which stays the same when it is moved. */
  inode?: string | undefined;
}

const OUTCOMES = ['queued', 'uploaded', 'rejected', 'discarded', 'duplicate', 'moved', 'existing', 'skipped', 'replaced'] as const;
/**
 * What became of a file. `duplicate`, `moved`: its content was dealt with under another path. `existing`: it was there before and isn't
 * wanted. `skipped`: it doesn't match. `replaced`: the content that an uploaded file had before it was changed.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** A file that was dealt with. */
export interface Seen extends FileVersion {
  outcome: Outcome;
  itemId: string | undefined;
  failure: Failure | undefined;
}

/** What became of a file. */
export interface Note extends EventDetail {
  outcome: Outcome;
  itemId?: string;
  /** Add no event. */
  silent?: boolean;
}

const OF_THE_FILE = ['fileMissing', 'fileUnreadable', 'fileChanged', 'notAFile'];

/** Whether a failure is one of the file, which may be readable by now: it is worth another look. */
export function isOfTheFile(failure: Failure | undefined): boolean {
  return OF_THE_FILE.includes(failure?.code ?? '');
}

/** A condition: whether the content of a row is dealt with, so that other files with it needn't be uploaded. */
const isContentDealtWith = (row: string) => `(${row}.outcome IN ('queued', 'uploaded', 'discarded', 'replaced')
  OR (${row}.outcome = 'rejected' AND coalesce(json_extract(${row}.failure, '$.code'), '') NOT IN ('${OF_THE_FILE.join("', '")}')))`;

/** Files and subfolders that can't be read, with the paths of some. */
export interface Unreadable {
  count: number;
  names: string[];
}

/** Paths of {@link Unreadable}. */
const NAMED = 3;
const IS_UNREADABLE = `outcome = 'rejected' AND json_extract(failure, '$.code') = 'fileUnreadable'`;

/** Files that watch folders have dealt with. The only writer of the table `seen`. Each change is one commit. */
export interface SeenFiles {
  get(folder: string, relPath: string): Seen | undefined;
  /** Another file of the folder whose content is the same and dealt with. */
  withContent(folder: string, sha256: string, relPath: string): Seen | undefined;
  /** The file under another path that was there before and has the same number, size and time. */
  existingLike(folder: string, version: FileVersion): Seen | undefined;
  /**
   * Records what became of a file, with an event. Content that was uploaded from its path stays known. Does nothing once
   * the folder is removed.
   */
  note(folder: string, version: FileVersion, note: Note): void;
  /** Updates the size and time of a file whose content is the same. */
  touch(folder: string, version: FileVersion): void;
  forget(folder: string, relPath: string): void;
  /** Forgets which files don't match. */
  forgetSkipped(folder: string): void;
  /** Forgets which files were there before, so that they are taken. */
  forgetExisting(folder: string): void;
  /** Forgets copies whose original was never uploaded. Returns their paths. */
  reviveCopies(folder: string): string[];
  /** Files in the queue, by path, after the given one. */
  queued(folder: string, after: string, limit: number): Seen[];
  /** Number of files by outcome. */
  counts(folder: string): Partial<Record<Outcome, number>>;
  unreadable(folder: string): Unreadable;
  /** Forgets the subfolders, and files never looked at, that could not be read, but for those that still can't. */
  forgetReadable(folder: string, unreadable: ReadonlySet<string>): void;
}

const seenRow = z
  .object({
    rel_path: z.string(),
    size: z.number(),
    modified: z.number(),
    sha256: z.string().nullable(),
    outcome: z.enum(OUTCOMES),
    item_id: z.string().nullable(),
    failure: z
      .string()
      .transform((text) => JSON.parse(text) as unknown)
      .pipe(failure)
      .nullable(),
  })
  .transform(
    ({ rel_path, sha256, item_id, failure, ...rest }): Seen => ({
      ...rest,
      relPath: rel_path,
      sha256: sha256 ?? undefined,
      itemId: item_id ?? undefined,
      failure: failure ?? undefined,
    }),
  );

const SEEN = 'rel_path, size, modified, sha256, outcome, item_id, failure';

export function createSeen(db: DatabaseSync, now: () => number, events: Events): SeenFiles {
  const run = (statement: string, ...values: SQLInputValue[]) => db.prepare(statement).run(...values);
  const find = db.prepare(`SELECT ${SEEN} FROM seen WHERE folder_id = ? AND rel_path = ?`);
  // SQLite would visit all files with one of the outcomes.
  const findContent = db.prepare(
    `SELECT ${SEEN} FROM seen INDEXED BY seen_content WHERE folder_id = ? AND sha256 = ? AND rel_path <> ? AND ${isContentDealtWith('seen')} LIMIT 1`,
  );
  const keepContent = db.prepare(`INSERT OR IGNORE INTO seen (folder_id, rel_path, size, modified, sha256, outcome, image_key, at)
    SELECT folder_id, rel_path || '/' || sha256, size, modified, sha256, 'replaced', image_key, at FROM seen
    WHERE folder_id = ? AND rel_path = ? AND sha256 <> ? AND outcome IN ('uploaded', 'discarded')`);
  const upsert = db.prepare(`INSERT INTO seen (folder_id, rel_path, size, modified, sha256, inode, outcome, item_id, image_key, failure, at)
    SELECT id, $rel, $size, $modified, $sha256, $inode, $outcome, $item, $imageKey, $failure, $at FROM folders WHERE id = $folder
    ON CONFLICT (folder_id, rel_path) DO UPDATE SET size = excluded.size, modified = excluded.modified, sha256 = excluded.sha256,
      inode = excluded.inode, outcome = excluded.outcome, item_id = excluded.item_id, image_key = excluded.image_key, failure = excluded.failure, at = excluded.at`);

  return {
    get(folder, relPath) {
      const row = find.get(folder, relPath);
      return row && seenRow.parse(row);
    },
    withContent(folder, sha256, relPath) {
      const row = findContent.get(folder, sha256, relPath);
      return row && seenRow.parse(row);
    },
    existingLike(folder, { size, modified, relPath, inode }) {
      const row = db
        .prepare(
          `SELECT ${SEEN} FROM seen WHERE folder_id = ? AND inode = ? AND outcome = 'existing' AND size = ? AND modified = ? AND rel_path <> ?`,
        )
        .get(folder, inode ?? null, size, modified, relPath);
      return row && seenRow.parse(row);
    },
    note: (folder, version, { outcome, silent, itemId, ...detail }) =>
      transaction(db, () => {
        const { relPath, size, modified, sha256, inode } = version;
        const { imageKey, failure } = detail;
        if (sha256 !== undefined) keepContent.run(folder, relPath, sha256);
        upsert.run({
          folder,
          rel: relPath,
          size,
          modified,
          sha256: sha256 ?? null,
          inode: inode ?? null,
          outcome,
          item: itemId ?? null,
          imageKey: imageKey ?? null,
          failure: failure ? JSON.stringify(failure) : null,
          at: now(),
        });
        if (!silent) events.add(folder, relPath, outcome, detail);
      }),
    touch: (folder, { relPath, size, modified }) =>
      void run('UPDATE seen SET size = ?, modified = ? WHERE folder_id = ? AND rel_path = ?', size, modified, folder, relPath),
    forget: (folder, relPath) => void run('DELETE FROM seen WHERE folder_id = ? AND rel_path = ?', folder, relPath),
    forgetSkipped: (folder) => void run(`DELETE FROM seen WHERE folder_id = ? AND outcome = 'skipped'`, folder),
    forgetExisting: (folder) => void run(`DELETE FROM seen WHERE folder_id = ? AND outcome = 'existing'`, folder),
    reviveCopies: (folder) =>
      db
        .prepare(
          `DELETE FROM seen WHERE folder_id = ? AND outcome IN ('duplicate', 'moved') AND NOT EXISTS (
              SELECT 1 FROM seen AS other INDEXED BY seen_content WHERE other.folder_id = seen.folder_id AND other.sha256 = seen.sha256
                AND ${isContentDealtWith('other')}) RETURNING rel_path`,
        )
        .all(folder)
        .map(({ rel_path }) => String(rel_path)),
    queued: (folder, after, limit) =>
      db
        .prepare(`SELECT ${SEEN} FROM seen WHERE folder_id = ? AND outcome = 'queued' AND rel_path > ? ORDER BY rel_path LIMIT ?`)
        .all(folder, after, limit)
        .map((row) => seenRow.parse(row)),
    counts: (folder) =>
      Object.fromEntries(
        db
          .prepare('SELECT outcome, COUNT(*) AS count FROM seen WHERE folder_id = ? GROUP BY outcome')
          .all(folder)
          .map(({ outcome, count }) => [outcome, Number(count)]),
      ),
    unreadable(folder) {
      const rows = db.prepare(`SELECT rel_path FROM seen WHERE folder_id = ? AND ${IS_UNREADABLE} ORDER BY rel_path`).all(folder);
      return { count: rows.length, names: rows.slice(0, NAMED).map(({ rel_path }) => String(rel_path)) };
    },
    forgetReadable(folder, unreadable) {
      const rows = db
        .prepare(`SELECT rel_path FROM seen WHERE folder_id = ? AND ${IS_UNREADABLE} AND size = 0 AND modified = 0`)
        .all(folder);
      for (const { rel_path } of rows) if (!unreadable.has(String(rel_path))) this.forget(folder, String(rel_path));
    },
  };
}

import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import { type FolderOptions, folderOptions } from '#api/desktop/folders.ts';
import { type Failure, failure } from '#main/base/reasons.ts';
import { transaction } from './database.ts';

/** A watch folder. Times are in milliseconds since 1970. */
export interface Folder {
  id: string;
  /** Absolute. */
  path: string;
  /** Identifies the drive and folder behind the path; undefined where that can't be told. */
  volume: string | undefined;
  options: FolderOptions;
  /** Older files were there before. Null once all of them are known. */
  since: number | null;
  paused: boolean;
}

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

export interface NoteDetail {
  itemId?: string;
  failure?: Failure;
  /** Path of another file that this is about. */
  other?: string;
}

/** Something that happened to a file. `detail`: a failure as JSON, a path, or an image's key. */
export interface FileEvent {
  id: number;
  relPath: string;
  at: number;
  what: string;
  detail: string | undefined;
}

const OF_THE_FILE = ['fileMissing', 'fileUnreadable', 'fileChanged', 'notAFile'];

/** Whether a failure is one of the file, which may be readable by now: it is worth another look. */
export function isOfTheFile(failure: Failure | undefined): boolean {
  return OF_THE_FILE.includes(failure?.code ?? '');
}

/** A condition: whether the content of a row is dealt with, so that other files with it needn't be uploaded. */
const settlesContent = (row: string) => `(${row}.outcome IN ('queued', 'uploaded', 'discarded', 'replaced')
  OR (${row}.outcome = 'rejected' AND coalesce(json_extract(${row}.failure, '$.code'), '') NOT IN ('${OF_THE_FILE.join("', '")}')))`;

/** Watch folders, the files that they have dealt with, and what happened to each. Each change is one commit. */
export interface Folders {
  list(): Folder[];
  get(id: string): Folder | undefined;
  add(folder: Omit<Folder, 'id' | 'paused'>): string;
  change(id: string, change: Partial<Omit<Folder, 'id'>>): void;
  /** Forgets a folder with all that is known about its files. */
  remove(id: string): void;
  seen(folder: string, relPath: string): Seen | undefined;
  /** Another file of the folder whose content is the same and dealt with. */
  seenContent(folder: string, sha256: string, relPath: string): Seen | undefined;
  /** The file under another path that was there before and has the same number, size and time. */
  existingLike(folder: string, version: FileVersion): Seen | undefined;
  /** Records what became of a file, with an event unless `silent`. Content that was uploaded from its path stays known. */
  note(folder: string, version: FileVersion, outcome: Outcome, detail?: NoteDetail, silent?: boolean): void;
  /** The same content has another size or time now. */
  touch(folder: string, version: FileVersion): void;
  event(folder: string, relPath: string, what: string, detail?: NoteDetail): void;
  forget(folder: string, relPath: string): void;
  /** Forgets that files don't match: the patterns have changed. */
  forgetSkipped(folder: string): void;
  /** Forgets which files were there before: they are wanted now. */
  forgetExisting(folder: string): void;
  /** Forgets copies whose original was never uploaded. Returns their paths. */
  reviveCopies(folder: string): string[];
  /** Files in the queue, by path, after the given one. */
  queued(folder: string, after: string, limit: number): Seen[];
  /** Number of files by outcome. */
  counts(folder: string): Partial<Record<Outcome, number>>;
  /** Latest first; only those whose path contains `search`, and before an id. */
  events(folder: string, query: { search: string; before: number | undefined; limit: number }): FileEvent[];
  /** Ids of the uploads of a folder in these states. */
  openItems(folder: string, states: readonly ('queued' | 'sending' | 'paused')[]): string[];
  /** Forgets all but the latest events of each folder. */
  prune(keep: number): void;
}

const folderRow = z
  .object({
    id: z.string(),
    path: z.string(),
    volume_id: z.string().nullable(),
    options: z.string().transform(parseOptions),
    since: z.number(),
    paused: z.number(),
  })
  .transform(
    ({ id, path, volume_id, options, since, paused }): Folder => ({
      id,
      path,
      volume: volume_id ?? undefined,
      options,
      since: since || null,
      paused: paused === 1,
    }),
  );

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

export function createFolders(db: DatabaseSync, now: () => number): Folders {
  const run = (statement: string, ...values: SQLInputValue[]) => db.prepare(statement).run(...values);
  const paths = (rows: Record<string, unknown>[]) => rows.map(({ rel_path }) => String(rel_path));
  const find = db.prepare(`SELECT ${SEEN} FROM seen WHERE folder_id = ? AND rel_path = ?`);
  // SQLite would visit all files with one of the outcomes.
  const findContent = db.prepare(
    `SELECT ${SEEN} FROM seen INDEXED BY seen_content WHERE folder_id = ? AND sha256 = ? AND rel_path <> ? AND ${settlesContent('seen')} LIMIT 1`,
  );
  const keepContent = db.prepare(`INSERT OR IGNORE INTO seen (folder_id, rel_path, size, modified, sha256, outcome, image_key, at)
    SELECT folder_id, rel_path || '/' || sha256, size, modified, sha256, 'replaced', image_key, at FROM seen
    WHERE folder_id = ? AND rel_path = ? AND sha256 <> ? AND outcome IN ('uploaded', 'discarded')`);
  const upsert = db.prepare(`INSERT INTO seen (folder_id, rel_path, size, modified, sha256, inode, outcome, item_id, failure, at)
    VALUES ($folder, $rel, $size, $modified, $sha256, $inode, $outcome, $item, $failure, $at)
    ON CONFLICT (folder_id, rel_path) DO UPDATE SET size = excluded.size, modified = excluded.modified, sha256 = excluded.sha256,
      inode = excluded.inode, outcome = excluded.outcome, item_id = excluded.item_id, image_key = NULL, failure = excluded.failure, at = excluded.at`);
  const insertEvent = db.prepare('INSERT INTO events (folder_id, rel_path, at, what, detail) VALUES (?, ?, ?, ?, ?)');

  const addEvent = (folder: string, relPath: string, what: string, { failure, other }: NoteDetail) =>
    void insertEvent.run(folder, relPath, now(), what, failure ? JSON.stringify(failure) : (other ?? null));

  return {
    list: () =>
      db
        .prepare('SELECT id, path, volume_id, options, since, paused FROM folders ORDER BY added_at, id')
        .all()
        .map((row) => folderRow.parse(row)),
    get(id) {
      const found = db.prepare('SELECT id, path, volume_id, options, since, paused FROM folders WHERE id = ?').get(id);
      return found && folderRow.parse(found);
    },
    add({ path, volume, options, since }) {
      const id = randomUUID();
      run(
        'INSERT INTO folders (id, path, volume_id, options, since, added_at) VALUES (?, ?, ?, ?, ?, ?)',
        id,
        path,
        volume ?? null,
        JSON.stringify(options),
        since ?? 0,
        now(),
      );
      return id;
    },
    change: (id, { path, volume, options, since, paused }) =>
      transaction(db, () => {
        if (path !== undefined) run('UPDATE folders SET path = ?, volume_id = ? WHERE id = ?', path, volume ?? null, id);
        if (options) run('UPDATE folders SET options = ? WHERE id = ?', JSON.stringify(options), id);
        if (since !== undefined) run('UPDATE folders SET since = ? WHERE id = ?', since ?? 0, id);
        if (paused !== undefined) run('UPDATE folders SET paused = ? WHERE id = ?', Number(paused), id);
      }),
    remove: (id) => void run('DELETE FROM folders WHERE id = ?', id),
    seen(folder, relPath) {
      const row = find.get(folder, relPath);
      return row && seenRow.parse(row);
    },
    seenContent(folder, sha256, relPath) {
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
    note: (folder, version, outcome, detail = {}, silent = false) =>
      transaction(db, () => {
        const { relPath, size, modified, sha256, inode } = version;
        if (sha256 !== undefined) keepContent.run(folder, relPath, sha256);
        upsert.run({
          folder,
          rel: relPath,
          size,
          modified,
          sha256: sha256 ?? null,
          inode: inode ?? null,
          outcome,
          item: detail.itemId ?? null,
          failure: detail.failure ? JSON.stringify(detail.failure) : null,
          at: now(),
        });
        if (!silent) addEvent(folder, relPath, outcome, detail);
      }),
    touch: (folder, { relPath, size, modified }) =>
      void run('UPDATE seen SET size = ?, modified = ? WHERE folder_id = ? AND rel_path = ?', size, modified, folder, relPath),
    event: (folder, relPath, what, detail = {}) => addEvent(folder, relPath, what, detail),
    forget: (folder, relPath) => void run('DELETE FROM seen WHERE folder_id = ? AND rel_path = ?', folder, relPath),
    forgetSkipped: (folder) => void run(`DELETE FROM seen WHERE folder_id = ? AND outcome = 'skipped'`, folder),
    forgetExisting: (folder) => void run(`DELETE FROM seen WHERE folder_id = ? AND outcome = 'existing'`, folder),
    reviveCopies: (folder) =>
      paths(
        db
          .prepare(
            `DELETE FROM seen WHERE folder_id = ? AND outcome IN ('duplicate', 'moved') AND NOT EXISTS (
              SELECT 1 FROM seen AS other INDEXED BY seen_content WHERE other.folder_id = seen.folder_id AND other.sha256 = seen.sha256
                AND ${settlesContent('other')}) RETURNING rel_path`,
          )
          .all(folder),
      ),
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
    events: (folder, { search, before, limit }) =>
      db
        .prepare(
          `SELECT id, rel_path, at, what, detail FROM events WHERE folder_id = ? AND id < ? AND instr(lower(rel_path), lower(?)) > 0
            ORDER BY id DESC LIMIT ?`,
        )
        .all(folder, before ?? Number.MAX_SAFE_INTEGER, search, limit)
        .map(({ id, rel_path, at, what, detail }) => ({
          id: Number(id),
          relPath: String(rel_path),
          at: Number(at),
          what: String(what),
          detail: detail === null ? undefined : String(detail),
        })),
    openItems: (folder, states) =>
      db
        .prepare(
          `SELECT id FROM items WHERE folder_id = ? AND state IN ('queued', 'sending', 'paused', 'failed')
            AND state IN (${states.map(() => '?')})`,
        )
        .all(folder, ...states)
        .map(({ id }) => String(id)),
    prune(keep) {
      for (const { id } of db.prepare('SELECT id FROM folders').all()) {
        run(
          'DELETE FROM events WHERE folder_id = ? AND id <= (SELECT id FROM events WHERE folder_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)',
          String(id),
          String(id),
          keep,
        );
      }
    },
  };
}

/** Fields that another version wrote count as absent. */
function parseOptions(text: string): FolderOptions {
  const stored = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data ?? {};
  const fields = Object.entries(folderOptions.shape).map(([name, field]) => {
    const value = field.safeParse(stored[name]);
    return [name, value.success ? value.data : DEFAULT_FOLDER_OPTIONS[name as keyof FolderOptions]];
  });
  return folderOptions.parse(Object.fromEntries(fields));
}

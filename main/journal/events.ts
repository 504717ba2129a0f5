import type { DatabaseSync } from 'node:sqlite';
import type { Failure } from '#main/base/reasons.ts';

/** Something that happened to a file. `detail`: a failure as JSON, a path, or an image's key. */
export interface FileEvent {
  id: number;
  relPath: string;
  at: number;
  what: string;
  detail: string | undefined;
}

export interface EventDetail {
  failure?: Failure;
  /** Path of another file that this is about. */
  other?: string;
  imageKey?: string;
}

/** What happened to the files of watch folders, for the user to read. The only writer of the table `events`. */
export interface Events {
  /** Does nothing once the folder is removed. */
  add(folder: string, relPath: string, what: string, detail?: EventDetail): void;
  /** Latest first; only those whose path contains `search`, and before an id. */
  list(folder: string, query: { search: string; before: number | undefined; limit: number }): FileEvent[];
  /** Forgets all but the latest events of each folder. */
  prune(keep: number): void;
}

export function createEvents(db: DatabaseSync, now: () => number): Events {
  const insert = db.prepare('INSERT INTO events (folder_id, rel_path, at, what, detail) SELECT id, ?, ?, ?, ? FROM folders WHERE id = ?');

  return {
    add: (folder, relPath, what, { failure, other, imageKey } = {}) =>
      void insert.run(relPath, now(), what, failure ? JSON.stringify(failure) : (other ?? imageKey ?? null), folder),
    list: (folder, { search, before, limit }) =>
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
    prune(keep) {
      const forget = db.prepare(
        'DELETE FROM events WHERE folder_id = ? AND id <= (SELECT id FROM events WHERE folder_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)',
      );
      for (const { id } of db.prepare('SELECT id FROM folders').all()) forget.run(String(id), String(id), keep);
    },
  };
}

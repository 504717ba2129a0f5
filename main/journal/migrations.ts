/**
 * The journal's tables, one entry per version; released entries never change. Times are in milliseconds since 1970, sizes in bytes.
 *
 * `items`: uploads, and drafts with the marks drawn on them. `seq` keeps their order, `key` is what the service recognises a repeated request by. `batches`: what was asked
 * for together, whose links are delivered together. `folders`, `seen`, `events`: watch folders, the files they have dealt with, and
 * what happened to each.
 */
export const MIGRATIONS = [
  `CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    origin TEXT NOT NULL,
    links TEXT,
    added_at INTEGER NOT NULL,
    delivered_at INTEGER
  ) STRICT;

  CREATE TABLE items (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL,
    batch_id TEXT NOT NULL REFERENCES batches(id),
    lane INTEGER NOT NULL,
    account TEXT,
    path TEXT NOT NULL,
    name TEXT NOT NULL,
    spooled INTEGER NOT NULL,
    size INTEGER,
    modified REAL,
    sha256 TEXT,
    fields TEXT NOT NULL,
    folder_id TEXT,
    rel_path TEXT,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL DEFAULT 0,
    failure TEXT,
    image TEXT,
    after_state TEXT NOT NULL DEFAULT 'none',
    added_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX items_open ON items(state, lane, seq) WHERE state IN ('queued', 'sending', 'paused', 'failed');
  CREATE INDEX items_ended ON items(ended_at) WHERE state IN ('done', 'discarded');
  CREATE INDEX items_batch ON items(batch_id, state);
  CREATE INDEX items_after ON items(seq) WHERE after_state = 'pending';
  CREATE INDEX batches_open ON batches(added_at) WHERE delivered_at IS NULL;

  CREATE TABLE folders (
    id TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    volume_id TEXT,
    options TEXT NOT NULL,
    since INTEGER NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0,
    added_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE seen (
    folder_id TEXT NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
    rel_path TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified REAL NOT NULL,
    sha256 TEXT,
    outcome TEXT NOT NULL,
    item_id TEXT,
    image_key TEXT,
    failure TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (folder_id, rel_path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX seen_content ON seen(folder_id, sha256);

  CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    folder_id TEXT NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
    rel_path TEXT NOT NULL,
    at INTEGER NOT NULL,
    what TEXT NOT NULL,
    detail TEXT
  ) STRICT;
  CREATE INDEX events_folder ON events(folder_id, id);

  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;`,

  // For the counts of a folder, its queue, and files that were there before.
  `CREATE INDEX seen_outcome ON seen(folder_id, outcome, rel_path);
  CREATE INDEX seen_existing ON seen(folder_id, size) WHERE outcome = 'existing';
  CREATE INDEX items_folder ON items(folder_id) WHERE folder_id IS NOT NULL AND state IN ('queued', 'sending', 'paused', 'failed');`,

  // Recognises files that were there before after they were moved: their content isn't read.
  `ALTER TABLE seen ADD COLUMN inode TEXT;
  DROP INDEX seen_existing;
  CREATE INDEX seen_existing ON seen(folder_id, inode) WHERE outcome = 'existing';`,

  `ALTER TABLE items ADD COLUMN marks TEXT;
  CREATE INDEX items_drafts ON items(seq) WHERE state = 'draft';`,
] as const;

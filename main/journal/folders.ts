import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import { type FolderOptions, folderOptions } from '#api/desktop/folders.ts';
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

/** The watch folders. Each change is one commit. */
export interface Folders {
  list(): Folder[];
  get(id: string): Folder | undefined;
  add(folder: Omit<Folder, 'id' | 'paused'>): string;
  change(id: string, change: Partial<Omit<Folder, 'id'>>): void;
  /** Forgets a folder with all that is known about its files. */
  remove(id: string): void;
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

export function createFolders(db: DatabaseSync, now: () => number): Folders {
  const run = (statement: string, ...values: SQLInputValue[]) => db.prepare(statement).run(...values);

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
  };
}

/** Release 0.4 has a single album. */
const singleAlbum = z.object({ kind: z.literal('fixed'), id: z.string() }).transform(({ kind, id }) => ({ kind, ids: [id] }));
const withIds = (album: unknown) => singleAlbum.safeParse(album).data ?? album;

/** Fields that another version wrote count as absent. */
function parseOptions(text: string): FolderOptions {
  const stored = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data ?? {};
  const fields = Object.entries(folderOptions.shape).map(([name, field]) => {
    const value = field.safeParse(name === 'album' ? withIds(stored.album) : stored[name]);
    return [name, value.success ? value.data : DEFAULT_FOLDER_OPTIONS[name as keyof FolderOptions]];
  });
  return folderOptions.parse(Object.fromEntries(fields));
}

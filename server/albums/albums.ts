import type { Selectable } from 'kysely';
import type { Queries } from '../db/database.ts';

export interface AlbumsTable {
  id: string;
  owner_id: number;
  name: string;
  description: string;
  visibility: 'public' | 'private';
  password_hash: string | null;
  cover_key: string | null;
  position: number;
  created_at: number;
  updated_at: number;
}
export type AlbumRow = Selectable<AlbumsTable>;

/** An album by its id, if it is this user's. */
export function findOwnAlbum(queries: Queries, ownerId: number, id: string): Promise<AlbumRow | undefined> {
  return queries.selectFrom('albums').selectAll().where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst();
}

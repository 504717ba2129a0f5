import type { Generated, Selectable } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';

export interface ImagesTable {
  id: Generated<number>;
  /** 12 random letters and digits; what links contain. */
  key: string;
  /** Null: a guest's. */
  owner_id: number | null;
  policy_id: number;
  /** Hash of the bytes that are served. */
  sha256: string;
  /** Hash of the bytes that were uploaded, for recognising repeats. */
  input_sha256: string;
  name: string;
  ext: string;
  mime: string;
  size: number;
  width: number;
  height: number;
  visibility: 'public' | 'private';
  album_id: string | null;
  password_hash: string | null;
  /** 0: unlimited. */
  max_views: number;
  /** All looks by others than the owner; those at an unlimited image are written down with a delay. */
  views: Generated<number>;
  /** Looks since the limit was set; exact. */
  limited_views: Generated<number>;
  favourite: Generated<0 | 1>;
  /** JSON array of strings. */
  tags: Generated<string>;
  taken_at: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  /** When it was put into the trash. */
  deleted_at: number | null;
  /** When its bytes were released after it had expired; the row stays as a 410 for a while. */
  emptied_at: number | null;
  uploader_address: string;
}
export type ImageRow = Selectable<ImagesTable>;

export function findImageByKey(queries: Queries, key: string): Promise<ImageRow | undefined> {
  return queries.selectFrom('images').selectAll().where('key', '=', key).executeTakeFirst();
}

/** A live image of this user, or undefined as if it did not exist. */
export function findOwnImage(queries: Queries, ownerId: number, key: string): Promise<ImageRow | undefined> {
  return queries
    .selectFrom('images')
    .selectAll()
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** An image of this user that is in the trash. */
export function findTrashedImage(queries: Queries, ownerId: number, key: string): Promise<ImageRow | undefined> {
  return queries
    .selectFrom('images')
    .selectAll()
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
}

/** Whether its time is over, with or without its bytes. */
export function isExpired({ emptied_at, expires_at }: Pick<ImageRow, 'emptied_at' | 'expires_at'>, now: number): boolean {
  return emptied_at !== null || (expires_at !== null && expires_at <= now);
}

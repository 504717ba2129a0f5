import type { ExpressionBuilder, Generated, Selectable } from 'kysely';
import type { RouteParsed } from '#api/contract.ts';
import type { listImages } from '#api/images.ts';
import type { Database, Queries } from '../db/database.ts';
import { decodeCursor, type Position } from '../db/page.ts';
import type { Tables } from '../db/tables.ts';

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
  views: Generated<number>;
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

type ListQuery = RouteParsed<typeof listImages, 'query'>;

const SORTS = {
  uploaded_desc: ['created_at', 'desc'],
  uploaded_asc: ['created_at', 'asc'],
  taken_desc: ['taken_at', 'desc'],
  taken_asc: ['taken_at', 'asc'],
  name_asc: ['name', 'asc'],
  size_desc: ['size', 'desc'],
} as const;

/** A user's live images in the order asked for: `limit` and one more. */
export function listOwnImages(
  db: Database,
  ownerId: number,
  { sort, cursor, limit }: Pick<ListQuery, 'sort' | 'cursor' | 'limit'>,
): Promise<ImageRow[]> {
  const [column, direction] = SORTS[sort];
  const after = decodeCursor(cursor);
  let query = db.read.selectFrom('images').selectAll().where('owner_id', '=', ownerId).where('deleted_at', 'is', null);
  if (after) query = query.where(isAfter(column, direction, after));
  return query
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(limit + 1)
    .execute();
}

function isAfter(column: (typeof SORTS)[keyof typeof SORTS][0], direction: 'asc' | 'desc', { value, id }: Position) {
  return (row: ExpressionBuilder<Tables, 'images'>) =>
    row(row.refTuple(column, 'id'), direction === 'asc' ? '>' : '<', row.tuple(value as never, id));
}

/** Where an image stands in a list sorted so. */
export function imagePosition(sort: keyof typeof SORTS) {
  const [column] = SORTS[sort];
  return (row: ImageRow): Position => ({ value: row[column], id: row.id });
}

/** Puts a user's image into the trash; false when it is not there. */
export async function trashOwnImage(db: Database, ownerId: number, key: string): Promise<boolean> {
  const now = Date.now();
  const { numUpdatedRows } = await db.write((queries) =>
    queries
      .updateTable('images')
      .set({ deleted_at: now, updated_at: now })
      .where('key', '=', key)
      .where('owner_id', '=', ownerId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

import { sql } from 'kysely';
import { tellImages } from '#server/core/journal/changes.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

interface Accounts {
  from: number;
  to: number;
}

type Moved = Pick<ImageRow, 'key' | 'size' | 'emptied_at'>;

/**
 * Moves at most `limit` images, including the trash, from one account to another, with their usage. Their deletion links end, since their former
 * owner knows them; all other links stay. The target's quota doesn't apply. The caller must forget the keys in the image index afterwards.
 */
export async function moveImages(queries: Queries, { from, to }: Accounts, limit?: number): Promise<Moved[]> {
  const some = queries
    .selectFrom('images')
    .select('id')
    .where('owner_id', '=', from)
    .$if(limit !== undefined, (query) => query.limit(limit as number));
  const moved = await queries
    .updateTable('images')
    .set((row) => ({ owner_id: to, deletion_nonce: row('deletion_nonce', '+', 1) }))
    .where('id', 'in', some)
    .returning(['key', 'size', 'emptied_at'])
    .execute();
  const ofAccount = (owner_id: number) => moved.map(({ key }) => ({ key, owner_id }));
  tellImages(queries, 'image.deleted', ofAccount(from));
  tellImages(queries, 'image.changed', ofAccount(to));
  const stored = moved.filter(({ emptied_at }) => emptied_at === null);
  const bytes = stored.reduce((sum, { size }) => sum + size, 0);
  for (const [id, sign] of [[from, -1] as const, [to, 1] as const]) {
    await queries
      .updateTable('users')
      .set((row) => ({
        storage_used_bytes: row('storage_used_bytes', '+', sign * bytes),
        image_count: row('image_count', '+', sign * stored.length),
      }))
      .where('id', '=', id)
      .execute();
  }
  return moved;
}

/** Moves at most `limit` albums, in order, and adds them after the target's own. Returns their number. */
export async function moveAlbums(queries: Queries, { from, to }: Accounts, limit?: number): Promise<number> {
  const { last } = await queries
    .selectFrom('albums')
    .select((row) => sql<number>`coalesce(${row.fn.max('position')}, -1)`.as('last'))
    .where('owner_id', '=', to)
    .executeTakeFirstOrThrow();
  const some = queries
    .selectFrom('albums')
    .select('id')
    .where('owner_id', '=', from)
    .orderBy('position')
    .orderBy('id')
    .$if(limit !== undefined, (query) => query.limit(limit as number));
  const { numUpdatedRows } = await queries
    .updateTable('albums')
    .set((row) => ({ owner_id: to, position: row('position', '+', last + 1) }))
    .where('id', 'in', some)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

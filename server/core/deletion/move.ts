import { sql } from 'kysely';
import { enqueueAlbumUpdates } from '#server/core/albums/events.ts';
import { membershipsIn, removeVoidEntries } from '#server/core/albums/members.ts';
import { removeSentImages } from '#server/core/images/sendings.ts';
import { tellImages, tellMembers } from '#server/core/journal/changes.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

interface Accounts {
  from: number;
  to: number;
}

/** Images at once whose albums are looked up. */
const IDS_AT_ONCE = 1_000;

type Moved = Pick<ImageRow, 'id' | 'key' | 'size' | 'emptied_at'>;

/**
 * Moves at most `limit` images, including the trash, from one account to another, with their usage; albums must be moved before, since images leave those in which their new owner takes no part. Their deletion links end, since their former
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
    .returning(['id', 'key', 'size', 'emptied_at'])
    .execute();
  // Their new owner may be no member of the albums that they were in, and has sent them to nobody.
  for (let first = 0; first < moved.length; first += IDS_AT_ONCE) {
    const ids = moved.slice(first, first + IDS_AT_ONCE).map(({ id }) => id);
    await removeSentImages(queries, ids);
    const left = await removeVoidEntries(queries, to, ids);
    await enqueueAlbumUpdates(
      queries,
      left.map(({ album_id }) => album_id),
    );
  }
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

/** Moves at most `limit` albums with their members, in order, and adds them after the target's own. Returns their number. */
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
  // Pictures that are sent would be another account's. Its links stay for what they say about the pictures that were sent.
  await queries
    .updateTable('request_links')
    .set({ owner_id: to, paused_at: Date.now() })
    .where('owner_id', '=', from)
    .where('album_id', 'in', some)
    .execute();
  const moved = await queries
    .updateTable('albums')
    .set((row) => ({ owner_id: to, position: row('position', '+', last + 1) }))
    .where('id', 'in', some)
    .returning('id')
    .execute();
  await queries
    .deleteFrom('album_members')
    .where('user_id', '=', to)
    .where('album_id', 'in', (row) => row.selectFrom('albums').select('id').where('owner_id', '=', to))
    .execute();
  for (const { id } of moved) tellMembers(queries, await membershipsIn(queries, id), { left: false });
  return moved.length;
}

import { sql } from 'kysely';
import type { ImageIndex } from '#server/core/images/image-index.ts';
import { renewDeletionLinks } from '#server/core/images/links.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { requireUser } from './changes.ts';

export interface Transferred {
  images: number;
  albums: number;
  bytes: number;
}

/**
 * Moves all images including the trash, and all albums, of one account to another in one commit; every link stays, except those for
 * deletion, which their former owner knows. The
 * target's quota doesn't apply: an admin decides here, and the target can't upload more until there is room.
 */
export async function transferAll(
  db: Database,
  imageIndex: ImageIndex,
  { from, to }: { from: number; to: number },
  origin: AuditOrigin,
): Promise<Transferred> {
  if (from === to) throw new InvalidRequestError('Choose a different account to move the pictures to.', { field: 'to_user_id' });
  const moved = await db.write(async (queries) => {
    const source = await requireUser(queries, from);
    const target = await queries.selectFrom('users').selectAll().where('id', '=', to).executeTakeFirst();
    if (!target) throw new InvalidRequestError('This account no longer exists. Reload the list.', { field: 'to_user_id' });
    // Before the move: the target's own links stay.
    await renewDeletionLinks(queries, from);
    const images = await queries.updateTable('images').set({ owner_id: to }).where('owner_id', '=', from).executeTakeFirst();
    const albums = await appendAlbums(queries, from, to);
    await moveUsage(queries, from, to);
    const result = { images: Number(images.numUpdatedRows), albums, bytes: source.storage_used_bytes };
    await recordAudit(queries, origin, {
      action: 'user.transferred',
      target: source.username,
      details: { to: target.username, ...result },
    });
    return result;
  });
  imageIndex.clear();
  return moved;
}

/** Adds the albums after the target's own. */
async function appendAlbums(queries: Queries, from: number, to: number): Promise<number> {
  const { last } = await queries
    .selectFrom('albums')
    .select((row) => sql<number>`coalesce(${row.fn.max('position')}, -1)`.as('last'))
    .where('owner_id', '=', to)
    .executeTakeFirstOrThrow();
  const { numUpdatedRows } = await queries
    .updateTable('albums')
    .set((row) => ({ owner_id: to, position: row('position', '+', last + 1) }))
    .where('owner_id', '=', from)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

async function moveUsage(queries: Queries, from: number, to: number) {
  const source = await queries
    .selectFrom('users')
    .select(['storage_used_bytes', 'image_count'])
    .where('id', '=', from)
    .executeTakeFirstOrThrow();
  await queries
    .updateTable('users')
    .set((row) => ({
      storage_used_bytes: row('storage_used_bytes', '+', source.storage_used_bytes),
      image_count: row('image_count', '+', source.image_count),
    }))
    .where('id', '=', to)
    .execute();
  await queries.updateTable('users').set({ storage_used_bytes: 0, image_count: 0 }).where('id', '=', from).execute();
}

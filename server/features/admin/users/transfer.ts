import { moveAlbums, moveImages } from '#server/core/deletion/move.ts';
import { isDeleted } from '#server/core/deletion/start.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
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
  db: WritableDatabase,
  { from, to }: { from: number; to: number },
  origin: AuditOrigin,
): Promise<Transferred> {
  if (from === to)
    throw new InvalidRequestError('Choose a different account to move the pictures to.', { field: 'to_user_id', problem: 'not_available' });
  return db.write(async (queries) => {
    const source = await requireUser(queries, from);
    const target = await queries.selectFrom('users').selectAll().where('id', '=', to).executeTakeFirst();
    if (!target || (await isDeleted(queries, to)))
      throw new InvalidRequestError('This account no longer exists. Reload the list.', { field: 'to_user_id', problem: 'not_available' });
    const albums = await moveAlbums(queries, { from, to });
    const images = await moveImages(queries, { from, to });
    const result = { images: images.length, albums, bytes: source.storage_used_bytes };
    await recordAudit(queries, origin, {
      action: 'user.transferred',
      target: source.username,
      details: { to: target.username, ...result },
    });
    return result;
  });
}

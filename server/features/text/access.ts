import type { Request } from 'express';
import { isSharedWith } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { decideAccess, isWithheld } from '#server/core/images/access.ts';
import { findImageByKey } from '#server/core/images/images.ts';
import { refusalOf } from '#server/core/viewing/refusals.ts';
import { imageLock } from '#server/core/viewing/unlocking.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

/**
 * The image whose text a user may read: their own, or one in an album that is shared with them, as long as they may see its thumbnail. To everyone else,
 * admins included, the image doesn't exist.
 * @throws RequestError as for a thumbnail
 */
export async function requireReadable(
  { db, unlocking }: Pick<Context, 'db' | 'unlocking'>,
  user: UserRow,
  key: string,
  request: Request,
): Promise<ImageRow> {
  const image = await findImageByKey(db.read, key);
  const isOwner = image?.owner_id === user.id;
  if (!image || !(isOwner || (await isSharedWith(db.read, image, user.id)))) throw refusalOf({ code: 'not_found' });
  const viewer = { isOwner, isAdmin: false, isMember: true } as const;
  let access = decideAccess(image, { ...viewer, password: 'none' }, Date.now());
  const lock = imageLock(image);
  if (!access.allowed && access.code === 'password_required' && lock)
    access = decideAccess(image, { ...viewer, password: await unlocking.shown(request, lock) }, Date.now());
  if (!access.allowed) throw refusalOf(access);
  if (isWithheld(image) && !isOwner)
    throw new RequestError('thumbnail_withheld', 'The text isn’t available because this picture has a view limit.');
  return image;
}

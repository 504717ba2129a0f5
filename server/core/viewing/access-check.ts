import type { Request, Response } from 'express';
import { type Actor, fullMember } from '#server/core/accounts/actor.ts';
import { type Access, decideAccess, type Viewer } from '#server/core/images/access.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { imageLock, type Unlocking } from './unlocking.ts';

/** Who a client is to an image, and whether it may see it. */
export interface AccessCheck {
  viewer: Viewer;
  access: Access;
}

/**
 * Decides whether a request may see an image. Reads the cookie and the header only where a password decides, so that
 * clients can't try passwords of images that don't exist for them.
 * @throws RequestError `rate_limited` after too many wrong passwords
 */
export async function checkAccess(
  unlocking: Unlocking,
  request: Request,
  response: Response,
  image: ImageRow | undefined,
): Promise<AccessCheck> {
  const viewer = viewerOf(response.locals.actor as Actor, image);
  const access = decideAccess(image, viewer, Date.now());
  const lock = image && imageLock(image);
  if (!lock || access.allowed || access.code !== 'password_required') return { viewer, access };
  const shown = { ...viewer, password: await unlocking.shown(request, lock) };
  return { viewer: shown, access: decideAccess(image, shown, Date.now()) };
}

/** Who an actor is to an image. An upload token gives no rights over images, not even its user's own. */
export function viewerOf(actor: Actor, image: Pick<ImageRow, 'owner_id'> | undefined): Viewer {
  const user = fullMember(actor)?.user;
  return { isOwner: user !== undefined && image?.owner_id === user.id, isAdmin: user?.role === 'admin', password: 'none' };
}

import type { Request, Response } from 'express';
import { type Actor, fullMember } from '#server/core/accounts/actor.ts';
import { type Access, decideAccess, type Viewer } from '#server/core/images/access.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { imageLock, type Unlocking } from './unlocking.ts';

/** Somebody looks at an image: who they are to it, and what was decided. */
export interface Look {
  viewer: Viewer;
  access: Access;
}

/**
 * Decides about a request for an image. Cookie and header are looked at only where a password decides, so that nobody
 * can try passwords of images that do not exist for them.
 * @throws RequestError `rate_limited` after too many wrong passwords
 */
export async function lookAt(unlocking: Unlocking, request: Request, response: Response, image: ImageRow | undefined): Promise<Look> {
  const viewer = viewerOf(response.locals.actor as Actor, image);
  const access = decideAccess(image, viewer, Date.now());
  const lock = image && imageLock(image);
  if (!lock || access.allowed || access.code !== 'password_required') return { viewer, access };
  const shown = { ...viewer, password: await unlocking.shown(request, lock) };
  return { viewer: shown, access: decideAccess(image, shown, Date.now()) };
}

/** What an actor is to an image. An upload token gives no rights over images, not even its user's own. */
export function viewerOf(actor: Actor, image: Pick<ImageRow, 'owner_id'> | undefined): Viewer {
  const user = fullMember(actor)?.user;
  return { isOwner: user !== undefined && image?.owner_id === user.id, isAdmin: user?.role === 'admin', password: 'none' };
}

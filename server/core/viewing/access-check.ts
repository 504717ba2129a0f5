import type { Request, Response } from 'express';
import { type Actor, fullMember } from '#server/core/accounts/actor.ts';
import { isSharedWith } from '#server/core/albums/members.ts';
import { type Access, decideAccess, STRANGER, type Viewer } from '#server/core/images/access.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
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
  { db, unlocking }: { db: Database; unlocking: Unlocking },
  request: Request,
  response: Response,
  image: ImageRow | undefined,
): Promise<AccessCheck> {
  const viewer = await viewerOf(db.read, response.locals.actor as Actor, image);
  const access = decideAccess(image, viewer, Date.now());
  const lock = image && imageLock(image);
  if (!lock || access.allowed || access.code !== 'password_required') return { viewer, access };
  const shown = { ...viewer, password: await unlocking.shown(request, lock) };
  return { viewer: shown, access: decideAccess(image, shown, Date.now()) };
}

/**
 * Who an actor is to an image. An upload token gives no rights over images, not even its user's own. The members of albums are looked up at each request: their access ends
 * with their membership.
 */
export async function viewerOf(queries: Queries, actor: Actor, image: ImageRow | undefined): Promise<Viewer> {
  const user = fullMember(actor)?.user;
  if (!user || !image) return { ...STRANGER, isAdmin: user?.role === 'admin' };
  const isOwner = image.owner_id === user.id;
  const isAdmin = user.role === 'admin';
  const mayBeMember = image.visibility === 'private' && !isOwner && !isAdmin;
  return { isOwner, isAdmin, isMember: mayBeMember && (await isSharedWith(queries, image, user.id)), password: 'none' };
}

import type { Request, Response } from 'express';
import { type Actor, fullMember } from '#server/core/accounts/actor.ts';
import { isSharedWith } from '#server/core/albums/members.ts';
import { type Access, decideAccess, STRANGER, type Viewer } from '#server/core/images/access.ts';
import { isSentTo } from '#server/core/images/sendings.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { imageLock, type Unlocking } from './unlocking.ts';

/** Who a client is to an image, and whether it may see it. */
export interface AccessCheck {
  viewer: Viewer;
  access: Access;
}

/** What a request would see. Tokens of devices are allowed the thumbnails of what was sent to their users, and nothing else of it. */
type Shown = 'image' | 'thumbnail';

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
  what: Shown = 'image',
): Promise<AccessCheck> {
  const isPlaying = what === 'image' && image !== undefined && unlocking.isPlaying(request, image);
  const viewer = { ...(await viewerOf(db.read, response.locals.actor as Actor, image, what)), ...(isPlaying && { isPlaying }) };
  const access = decideAccess(image, viewer, Date.now());
  const lock = image && imageLock(image);
  if (!lock || access.allowed || access.code !== 'password_required') return { viewer, access };
  const shown = { ...viewer, password: await unlocking.shown(request, lock) };
  return { viewer: shown, access: decideAccess(image, shown, Date.now()) };
}

/**
 * Who an actor is to an image. An upload token gives no rights over images, not even its user's own. The members of albums, and those to whom pictures were
 * sent, are looked up at each request: their access ends with that.
 */
export async function viewerOf(queries: Queries, actor: Actor, image: ImageRow | undefined, what: Shown = 'image'): Promise<Viewer> {
  const user = fullMember(actor)?.user;
  if (what === 'thumbnail' && image?.visibility === 'private' && actor.kind === 'member' && actor.scope === 'device')
    return { ...STRANGER, isMember: await isSentTo(queries, image, actor.user.id) };
  if (!user || !image) return { ...STRANGER, isAdmin: user?.role === 'admin' };
  const isOwner = image.owner_id === user.id;
  const isAdmin = user.role === 'admin';
  const mayBeMember = image.visibility === 'private' && !isOwner && !isAdmin;
  return { isOwner, isAdmin, isMember: mayBeMember && (await opensFor(queries, image, user.id)), password: 'none' };
}

/** Whether a user takes part in an album that the image is in, or was sent the image: it then opens for them even if it is private. */
export async function opensFor(queries: Queries, image: ImageRow, userId: number): Promise<boolean> {
  return (await isSharedWith(queries, image, userId)) || (await isSentTo(queries, image, userId));
}

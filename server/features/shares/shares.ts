import type { Request, Response } from 'express';
import type { Actor } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { type Access, decideAccess } from '#server/core/images/access.ts';
import { checkAccess, viewerOf } from '#server/core/viewing/access-check.ts';
import { refusalOf } from '#server/core/viewing/refusals.ts';
import { imageLock } from '#server/core/viewing/unlocking.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

type Parts = Pick<Context, 'db' | 'imageIndex' | 'unlocking'>;

/** A request for the image with a key. */
interface Visit {
  key: string;
  request: Request;
  response: Response;
}

/** A shared image, and whether it still needs its password. */
export interface Shared {
  image: ImageRow;
  locked: boolean;
}

/**
 * The image at a share address, for this caller.
 * @throws RequestError when it doesn't exist for them, has expired or reached its view limit, or the password in the header is wrong
 */
export async function findShare({ db, imageIndex, unlocking }: Parts, { key, request, response }: Visit): Promise<Shared> {
  const image = await imageIndex.find(key);
  const { access } = await checkAccess({ db, unlocking }, request, response, image);
  return requireShared(image, access);
}

/**
 * Checks a shared image's password and sets the cookie if it is right. Only then does it reveal a reached view limit.
 * @throws RequestError like {@link findShare}, and `wrong_password` or `rate_limited`
 */
export async function unlockShare(
  { db, imageIndex, unlocking }: Parts,
  { key, request, response }: Visit,
  password: string,
): Promise<ImageRow> {
  const image = await imageIndex.find(key);
  const viewer = await viewerOf(db.read, response.locals.actor as Actor, image);
  const before = decideAccess(image, viewer, Date.now());
  if (!before.allowed && before.code !== 'password_required') throw refusalOf(before);
  const lock = image && imageLock(image);
  if (lock && !(await unlocking.unlock(request, response, lock, password))) throw refusalOf({ code: 'wrong_password' });
  return requireShared(image, decideAccess(image, { ...viewer, password: 'right' }, Date.now())).image;
}

function requireShared(image: ImageRow | undefined, access: Access): Shared {
  if (!image) throw refusalOf({ code: 'not_found' });
  if (access.allowed) return { image, locked: false };
  if (access.code === 'password_required') return { image, locked: true };
  throw refusalOf(access);
}

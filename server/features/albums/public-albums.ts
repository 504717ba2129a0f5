import type { Request, Response } from 'express';
import type { Actor } from '#server/core/accounts/actor.ts';
import { ALBUM_EXPIRED, findAlbum } from '#server/core/albums/albums.ts';
import { type PlacedImage, placedIn, type Visitor } from '#server/core/albums/open-images.ts';
import type { Context } from '#server/core/context.ts';
import { decideAccess, STRANGER } from '#server/core/images/access.ts';
import type { Lock } from '#server/core/viewing/password-tries.ts';
import { imageLock } from '#server/core/viewing/unlocking.ts';
import { NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import { decideAlbumAccess, rightsOf } from './access.ts';

type Parts = Pick<Context, 'db' | 'imageIndex' | 'unlocking'>;

export const LOCKED = 'This album is password-protected. Enter its password first.';

/** A request for the album with an id. */
interface Call {
  id: string;
  actor: Actor;
  request: Request;
}

/** A visit to an album. */
export type AlbumVisit = { album: AlbumRow; locked: true } | { album: AlbumRow; locked: false; visitor: Visitor };

/**
 * The album at a public address, for this caller.
 * @throws NotFoundError for a private album, RequestError `expired` after its expiry, except to its owner and admins
 */
export async function visitAlbum(parts: Parts, call: Call): Promise<AlbumVisit> {
  const album = await findAlbum(parts.db.read, call.id);
  const lock = album && albumLock(album);
  const unlocked = lock !== undefined && parts.unlocking.hasCookie(call.request, lock);
  return visit(parts, call, { album, unlocked });
}

/**
 * Checks an album's password and sets the cookie if it is right.
 * @throws RequestError `not_found`, `expired`, `wrong_password` or `rate_limited`
 */
export async function unlockAlbum(parts: Parts, call: Call & { response: Response }, password: string): Promise<AlbumVisit> {
  const { album } = await visitAlbum(parts, call);
  const lock = albumLock(album);
  if (lock && !(await parts.unlocking.unlock(call.request, call.response, lock, password)))
    throw new RequestError('wrong_password', 'Incorrect password.');
  return visit(parts, call, { album, unlocked: true });
}

async function visit(
  parts: Parts,
  { actor, request }: Call,
  { album, unlocked }: { album: AlbumRow | undefined; unlocked: boolean },
): Promise<AlbumVisit> {
  const rights = album && (await rightsOf(parts.db.read, actor, album.id));
  const access = rights ? decideAlbumAccess(album, { ...rights, unlocked }, Date.now()) : 'hidden';
  if (!album || access === 'hidden')
    throw new NotFoundError('This album doesn’t exist. It may have been deleted, or the link may be mistyped.');
  if (access === 'expired') throw new RequestError('expired', ALBUM_EXPIRED);
  if (access === 'locked') return { album, locked: true };
  const visitor = { trusted: rights?.isAdmin === true, memberId: rights?.joined?.userId };
  return {
    album,
    locked: false,
    visitor: { ...visitor, unlocked: visitor.trusted ? [] : await unlockedImages(parts, album, visitor, request) },
  };
}

/** Protected pictures of the album that this browser has unlocked one by one; the album's password doesn't unlock them. */
export async function unlockedImages(
  { db, imageIndex, unlocking }: Parts,
  album: Pick<AlbumRow, 'id'>,
  { memberId }: Pick<Visitor, 'memberId'>,
  request: Request,
): Promise<PlacedImage[]> {
  const found = await Promise.all(unlocking.claimedImages(request).map((key) => imageIndex.find(key)));
  const unlocked = found.filter((image): image is ImageRow => {
    const lock = image && imageLock(image);
    if (!lock || image.max_views > 0 || !unlocking.hasCookie(request, lock)) return false;
    return decideAccess(image, { ...STRANGER, isMember: memberId !== undefined, password: 'right' }, Date.now()).allowed;
  });
  return placedIn(db.read, album.id, unlocked);
}

function albumLock({ id, password_hash }: AlbumRow): Lock | undefined {
  return password_hash === null ? undefined : { kind: 'album', id, passwordHash: password_hash };
}

import type { ErrorCode } from '#api/errors.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { isExpired } from './images.ts';

/** The facts about a client that decide whether it may see an image. */
export interface Viewer {
  /** The image's owner, by session or full token. */
  isOwner: boolean;
  /** An admin, by session or full token. */
  isAdmin: boolean;
  /** Someone with whom an album is shared that the image is in, or whose album it is, or to whom the image was sent. Only asked of private images. */
  isMember: boolean;
  /** Whether the client plays a view-limited video, whose view it has used up. */
  isPlaying?: boolean;
  /** Whether the client has given the image's password. */
  password: 'none' | 'right' | 'wrong';
}

/** A client without any rights. */
export const STRANGER: Readonly<Viewer> = { isOwner: false, isAdmin: false, isMember: false, password: 'none' };

export type Access =
  | { allowed: true; isOwner: boolean }
  | { allowed: false; code: Extract<ErrorCode, 'not_found' | 'expired' | 'password_required' | 'wrong_password' | 'view_limit_reached'> };

type Guarded = Pick<
  ImageRow,
  'visibility' | 'deleted_at' | 'trash_reason' | 'expires_at' | 'emptied_at' | 'password_hash' | 'max_views' | 'limited_views'
>;

/**
 * Decides who may see an image, for direct links, thumbnails, share pages, albums, zips and previews.
 * The first rule that applies decides. What counts as a view: `countsAsView`.
 */
export function decideAccess(image: Guarded | undefined, viewer: Viewer, now: number): Access {
  const trusted = viewer.isOwner || viewer.isAdmin;
  if (!image || isDeleted(image)) return { allowed: false, code: 'not_found' };
  if (image.visibility === 'private' && !trusted && !viewer.isMember) return { allowed: false, code: 'not_found' };
  if (isExpired(image, now)) return { allowed: false, code: 'expired' };
  if (image.password_hash !== null && !trusted && viewer.password !== 'right') {
    return { allowed: false, code: viewer.password === 'wrong' ? 'wrong_password' : 'password_required' };
  }
  if (isUsedUp(image) && !viewer.isOwner && !viewer.isPlaying) return { allowed: false, code: 'view_limit_reached' };
  return { allowed: true, isOwner: viewer.isOwner };
}

/** Whether its owner has put an image into the trash. One that expired is there too, but its links say that it has expired. */
export function isDeleted({ deleted_at, trash_reason }: Pick<Guarded, 'deleted_at' | 'trash_reason'>): boolean {
  return deleted_at !== null && trash_reason !== 'expired';
}

function isUsedUp(image: Guarded): boolean {
  return image.max_views > 0 && image.limited_views >= image.max_views;
}

/** The number of views left; null without a limit. */
export function viewsLeft({ max_views, limited_views }: Pick<Guarded, 'max_views' | 'limited_views'>): number | null {
  return max_views > 0 ? Math.max(0, max_views - limited_views) : null;
}

/** Whether shared caches may store responses about this image. */
export function isPubliclyCacheable(image: Guarded): boolean {
  return image.visibility === 'public' && image.password_hash === null && image.max_views === 0;
}

/** Whether others get no preview even though they may see the image: a thumbnail would bypass the view limit. */
export function isWithheld(image: Pick<Guarded, 'max_views'>): boolean {
  return image.max_views > 0;
}

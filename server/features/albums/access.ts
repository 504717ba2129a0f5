import { type Actor, fullMember } from '#server/core/accounts/actor.ts';
import type { AlbumRow } from '#server/platform/db/schema/library.ts';

/** Whether the caller is the album's owner or an admin, by session or full token. */
export function isTrusted(actor: Actor, album: Pick<AlbumRow, 'owner_id'>): boolean {
  const user = fullMember(actor)?.user;
  return user !== undefined && (user.id === album.owner_id || user.role === 'admin');
}

/** Whether a visitor may open an album. As with images, the first rule that applies decides. */
export function decideAlbumAccess(
  album: Pick<AlbumRow, 'visibility' | 'password_hash'>,
  visitor: { trusted: boolean; unlocked: boolean },
): 'open' | 'locked' | 'hidden' {
  if (visitor.trusted) return 'open';
  if (album.visibility === 'private') return 'hidden';
  return album.password_hash !== null && !visitor.unlocked ? 'locked' : 'open';
}

/** Whether a visitor to whom an album is open may download all its pictures at once. */
export function canDownload(album: Pick<AlbumRow, 'allow_download'>, visitor: { trusted: boolean }): boolean {
  return visitor.trusted || album.allow_download === 1;
}

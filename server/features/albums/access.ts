import { type Actor, fullMember } from '#server/core/accounts/actor.ts';
import type { AlbumRow } from '#server/platform/db/schema/library.ts';

/** Its owner and admins, by session or full token. */
export function isTrusted(actor: Actor, album: Pick<AlbumRow, 'owner_id'>): boolean {
  const user = fullMember(actor)?.user;
  return user !== undefined && (user.id === album.owner_id || user.role === 'admin');
}

/** Whether somebody may open an album: the first rule that applies decides, as with images. */
export function decideAlbumAccess(
  album: Pick<AlbumRow, 'visibility' | 'password_hash'>,
  visitor: { trusted: boolean; unlocked: boolean },
): 'open' | 'locked' | 'hidden' {
  if (visitor.trusted) return 'open';
  if (album.visibility === 'private') return 'hidden';
  return album.password_hash !== null && !visitor.unlocked ? 'locked' : 'open';
}

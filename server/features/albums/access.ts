import { type Actor, fullMember } from '#server/core/accounts/actor.ts';
import { isAlbumExpired } from '#server/core/albums/albums.ts';
import { type AlbumRole, findJoinedAlbum } from '#server/core/albums/members.ts';
import type { Visitor } from '#server/core/albums/open-images.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { AlbumRow } from '#server/platform/db/schema/library.ts';

/** What a caller with a session or full token may do in an album beyond what visitors may. */
export interface AlbumRights {
  isAdmin: boolean;
  /** The caller's id and role, if the album is theirs or shared with them. */
  joined: { userId: number; role: AlbumRole } | undefined;
}

export async function rightsOf(queries: Queries, actor: Actor, albumId: string): Promise<AlbumRights> {
  const user = fullMember(actor)?.user;
  if (!user) return { isAdmin: false, joined: undefined };
  const album = await findJoinedAlbum(queries, user.id, albumId);
  return { isAdmin: user.role === 'admin', joined: album && { userId: user.id, role: album.role } };
}

/** Whether a visitor may open an album. As with images, the first rule that applies decides. */
export function decideAlbumAccess(
  album: Pick<AlbumRow, 'visibility' | 'password_hash' | 'expires_at'>,
  visitor: AlbumRights & { unlocked: boolean },
  now: number,
): 'open' | 'locked' | 'hidden' | 'expired' {
  if (visitor.isAdmin || visitor.joined) return 'open';
  if (album.visibility === 'private') return 'hidden';
  if (isAlbumExpired(album, now)) return 'expired';
  return album.password_hash !== null && !visitor.unlocked ? 'locked' : 'open';
}

/** Whether a visitor to whom an album is open may download all its pictures at once. */
export function canDownload(album: Pick<AlbumRow, 'allow_download' | 'owner_id'>, visitor: Pick<Visitor, 'trusted' | 'memberId'>): boolean {
  return visitor.trusted || visitor.memberId === album.owner_id || album.allow_download === 1;
}

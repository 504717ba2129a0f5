import { type Actor, fullMember } from '#server/core/accounts/actor.ts';
import type { Viewer } from '#server/core/images/access.ts';
import type { ImageRow } from '#server/core/images/images.ts';

/** What an actor is to an image. An upload token gives no rights over images, not even its user's own. */
export function viewerOf(actor: Actor, image: Pick<ImageRow, 'owner_id'> | undefined): Viewer {
  const user = fullMember(actor)?.user;
  return { isOwner: user !== undefined && image?.owner_id === user.id, isAdmin: user?.role === 'admin', password: 'none' };
}

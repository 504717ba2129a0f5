import { findJoinedAlbum } from '#server/core/albums/members.ts';
import { listOpenImages, placedIn, type Visitor } from '#server/core/albums/open-images.ts';
import type { Context } from '#server/core/context.ts';
import { decideAccess, isWithheld } from '#server/core/images/access.ts';
import { imageEntries } from '#server/core/images/zip-entry.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import { safeBaseName, type ZipEntry } from '#server/platform/http/zip.ts';

type Sources = Pick<Context, 'db' | 'blobs' | 'imageIndex'>;

const PAGE = 200;

/** The files of an album's download: what {@link listOpenImages} lists for this visitor, if that still holds when a picture's turn comes. */
export function albumEntries(sources: Sources, album: AlbumRow, visitor: Visitor): AsyncIterable<ZipEntry> {
  return imageEntries(sources, openRows(sources, album, visitor), async ({ key }) =>
    isOpen(sources, await sources.imageIndex.find(key), album, visitor),
  );
}

/** The name of an album's zip. */
export const zipNameOf = ({ name }: Pick<AlbumRow, 'name'>) => `${safeBaseName(`${name}.zip`)}.zip`;

async function* openRows({ db }: Sources, { id }: AlbumRow, visitor: Visitor): AsyncGenerator<ImageRow> {
  let cursor: string | undefined;
  do {
    const page = await listOpenImages(db.read, id, visitor, { limit: PAGE, cursor });
    yield* page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

async function isOpen(
  { db }: Sources,
  image: ImageRow | undefined,
  album: AlbumRow,
  { trusted, memberId, unlocked }: Visitor,
): Promise<boolean> {
  if (!image || isWithheld(image) || (await placedIn(db.read, album.id, [image])).length === 0) return false;
  // A password that was changed since locks the picture again.
  const isUnlocked = unlocked.some(({ key, password_hash }) => key === image.key && password_hash === image.password_hash);
  const password = isUnlocked ? 'right' : 'none';
  // Members may be removed while their download is running.
  const isMember = memberId !== undefined && (await findJoinedAlbum(db.read, memberId, album.id)) !== undefined;
  const isOwner = memberId !== undefined && image.owner_id === memberId;
  return decideAccess(image, { isOwner, isAdmin: trusted, isMember, password }, Date.now()).allowed;
}

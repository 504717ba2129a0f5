import { listOpenImages, type Visitor } from '#server/core/albums/open-images.ts';
import type { Context } from '#server/core/context.ts';
import { decideAccess, isWithheld, STRANGER } from '#server/core/images/access.ts';
import { imageEntries } from '#server/core/images/zip-entry.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import { safeBaseName, type ZipEntry } from '#server/platform/http/zip.ts';

type Sources = Pick<Context, 'db' | 'blobs' | 'imageIndex'>;

const PAGE = 200;

/** The files of an album's download: what {@link listOpenImages} lists for this visitor, if that still holds when a picture's turn comes. */
export function albumEntries(sources: Sources, album: AlbumRow, visitor: Visitor): AsyncIterable<ZipEntry> {
  return imageEntries(sources, openRows(sources, album, visitor), async ({ key }) =>
    isOpen(await sources.imageIndex.find(key), album, visitor),
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

function isOpen(image: ImageRow | undefined, album: AlbumRow, { trusted, unlocked }: Visitor): boolean {
  if (!image || image.album_id !== album.id || isWithheld(image)) return false;
  // A password that was changed since locks the picture again.
  const isUnlocked = unlocked.some(({ key, password_hash }) => key === image.key && password_hash === image.password_hash);
  return decideAccess(image, { ...STRANGER, isOwner: trusted, password: isUnlocked ? 'right' : 'none' }, Date.now()).allowed;
}

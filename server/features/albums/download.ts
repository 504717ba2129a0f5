import { fileNameOf } from '#api/file-name.ts';
import { listOpenImages, placedIn, type Visitor } from '#server/core/albums/open-images.ts';
import type { Context } from '#server/core/context.ts';
import { decideAccess, isWithheld } from '#server/core/images/access.ts';
import { imageEntries } from '#server/core/images/zip-entry.ts';
import { ForbiddenError } from '#server/platform/base/errors.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import type { ZipEntry } from '#server/platform/http/zip.ts';
import { canDownload } from './access.ts';
import type { AlbumVisit } from './public-albums.ts';

type Sources = Pick<Context, 'db' | 'blobs' | 'imageIndex'>;

const PAGE = 200;

/**
 * The files of an album's download: what {@link listOpenImages} lists for this visitor, if that still holds when a picture's turn comes.
 * @param visitAgain finds the album as it is then. It throws, which ends the download, when it is gone or closed to the visitor.
 * @param keys only these pictures
 */
export function albumEntries(
  sources: Sources,
  album: AlbumRow,
  visitor: Visitor,
  visitAgain: () => Promise<AlbumVisit>,
  keys?: readonly string[],
): AsyncIterable<ZipEntry> {
  return imageEntries(sources, openRows(sources, album, visitor, keys && new Set(keys)), async ({ key }) => {
    const visit = await visitAgain();
    if (visit.locked || !canDownload(visit.album, visit.visitor))
      throw new ForbiddenError('The album has been closed during its download.');
    const row = await sources.imageIndex.find(key);
    return row && (await isOpen(sources, row, album, visit.visitor)) ? row : undefined;
  });
}

/** The name of an album's zip. */
export const zipNameOf = ({ name }: Pick<AlbumRow, 'name'>) => fileNameOf(`${name}.zip`, 'zip');

async function* openRows(
  { db }: Sources,
  { id }: AlbumRow,
  visitor: Visitor,
  keys: ReadonlySet<string> | undefined,
): AsyncGenerator<ImageRow> {
  let cursor: string | undefined;
  do {
    const page = await listOpenImages(db.read, id, visitor, { limit: PAGE, cursor });
    yield* keys ? page.items.filter(({ key }) => keys.has(key)) : page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

async function isOpen({ db }: Sources, image: ImageRow, album: AlbumRow, { trusted, memberId, unlocked }: Visitor): Promise<boolean> {
  if (isWithheld(image) || (await placedIn(db.read, album.id, [image])).length === 0) return false;
  // A password that was changed since locks the picture again.
  const isUnlocked = unlocked.some(({ key, password_hash }) => key === image.key && password_hash === image.password_hash);
  const password = isUnlocked ? 'right' : 'none';
  const isMember = memberId !== undefined;
  const isOwner = memberId !== undefined && image.owner_id === memberId;
  return decideAccess(image, { isOwner, isAdmin: trusted, isMember, password }, Date.now()).allowed;
}

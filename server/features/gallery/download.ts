import type { RouteParsed } from '#api/contract.ts';
import type { downloadImages } from '#api/images/files.ts';
import { findJoinedAlbum } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { decideAccess, STRANGER } from '#server/core/images/access.ts';
import { findOwnImage, ownImages } from '#server/core/images/images.ts';
import { imageEntries } from '#server/core/images/zip-entry.ts';
import { InvalidRequestError, NotFoundError } from '#server/platform/base/errors.ts';
import type { Caller } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { ZipEntry } from '#server/platform/http/zip.ts';
import { uploadAt, walkOwnImages } from './list.ts';
import type { ImageFilters } from './list-query.ts';

type Download = RouteParsed<typeof downloadImages, 'query'>;
type Sources = Pick<Context, 'db' | 'blobs' | 'opaque'>;

const OWNER = { ...STRANGER, isOwner: true };

/**
 * The files of a user's download: the pictures of `keys`, those of an album, or with `as_of` all that the filters match.
 * @param caller is checked again for each of them
 * @throws NotFoundError when one of them doesn't exist for this user
 */
export async function downloadEntries(
  sources: Sources,
  caller: Caller,
  ownerId: number,
  download: Download,
): Promise<AsyncIterable<ZipEntry>> {
  const { keys, as_of, except_keys, ...filters } = download;
  const present = async ({ key }: ImageRow) => {
    await caller.confirm(sources.db.read);
    const row = await findOwnImage(sources.db.read, ownerId, key);
    return row && decideAccess(row, OWNER, Date.now()).allowed ? row : undefined;
  };
  const all = as_of !== undefined || filters.album_id !== undefined;
  if ((keys === undefined) !== all) throw new InvalidRequestError('Specify keys, album_id or as_of.', { field: 'keys' });
  if (keys) return imageEntries(sources, await rowsOfKeys(sources, ownerId, [...new Set(keys)]), present);
  if (filters.album_id !== undefined && !(await findJoinedAlbum(sources.db.read, ownerId, filters.album_id)))
    throw new NotFoundError('This album doesn’t exist. Choose another one.');
  const upTo = await uploadAt(sources, as_of);
  return imageEntries(sources, rowsOfAll(sources, ownerId, { filters, upTo, except: new Set(except_keys) }), present);
}

async function rowsOfKeys({ db }: Sources, ownerId: number, keys: string[]): Promise<ImageRow[]> {
  const rows = await ownImages(db.read, ownerId, 'key', keys).execute();
  const open = rows.filter((row) => decideAccess(row, OWNER, Date.now()).allowed);
  if (open.length < keys.length) throw new NotFoundError('One of these pictures no longer exists. Reload the list and try again.');
  return open.sort((one, two) => keys.indexOf(one.key) - keys.indexOf(two.key));
}

interface Selection {
  filters: ImageFilters;
  upTo: number;
  except: ReadonlySet<string>;
}

async function* rowsOfAll({ db }: Sources, ownerId: number, { filters, upTo, except }: Selection) {
  for await (const rows of walkOwnImages(db, ownerId, filters, upTo)) yield* rows.filter(({ key }) => !except.has(key));
}

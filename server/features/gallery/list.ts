import { setImmediate } from 'node:timers/promises';
import { findJoinedAlbum } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { searchedDates } from '#server/core/images/filters.ts';
import { findOwnImage } from '#server/core/images/images.ts';
import { pastedKey, prepareSearch } from '#server/core/images/text/search.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import type { Opaque } from '#server/platform/config/opaque.ts';
import type { Database } from '#server/platform/db/database.ts';
import { findMatches } from '#server/platform/db/dialect.ts';
import { keysetPage, type Order, type Page, type PageRequest, pageOf } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { SearchTerms } from '#server/platform/db/search-text.ts';
import {
  columnsOf,
  type ImageFilter,
  type ImageFilters,
  matching,
  type NarrowedFilter,
  type OwnList,
  orderOf,
  ownImagesQueries,
  readInTurn,
} from './list-query.ts';
import { findBySize, resolveSearch } from './search.ts';

/** Images from the start of a page on, among which a search for frequent words looks first. */
const NEARBY = 5_000;
/** More matches than there can be among the uploads of that time: the order of the list isn't that of the uploads. */
const TOO_MANY_NEARBY = 2 * NEARBY;

/** Beyond that many parts of the index, reading all matches costs less. */
const MAX_RUNS = 8;

/** A user's images that are neither in the trash nor expired, in the order asked for. */
export async function listOwnImages(db: Database, ownerId: number, filter: ImageFilter, now: number): Promise<Page<ImageRow>> {
  const narrowed = await narrow(db, ownerId, filter);
  return narrowed ? readPage(db, ownerId, narrowed, now) : { items: [], next_cursor: null };
}

/**
 * Counts what {@link listOwnImages} lists, with the number of expired images in the trash, and returns the latest upload of any user, up to which {@link walkOwnImages} finds the same
 * images later.
 */
export async function countOwnImages(db: Database, ownerId: number, filters: ImageFilters, now: number) {
  const upTo = await latestUpload(db);
  const narrowed = await narrow(db, ownerId, { ...filters, ...WHOLE, upTo });
  if (!narrowed) return { count: 0, expired: 0, upTo };
  const counts = await matching(db, ownerId, narrowed, now)
    .clearSelect()
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.countAll<number>().filterWhere('expires_at', '<=', now).as('expired')])
    .executeTakeFirstOrThrow();
  return { ...counts, upTo };
}

/** When the first and the last picture of what {@link listOwnImages} lists were taken; empty without pictures. @param except keys of pictures to leave out */
export async function takenBetween(
  db: Database,
  ownerId: number,
  filters: ImageFilters & { upTo: number },
  except: readonly string[] = [],
): Promise<number[]> {
  const narrowed = await narrow(db, ownerId, { ...filters, ...WHOLE });
  if (!narrowed) return [];
  const { first, last } = await matching(db, ownerId, narrowed, Date.now())
    .$if(except.length > 0, (all) => all.where('key', 'not in', except))
    .clearSelect()
    .select((row) => [row.fn.min('taken_at').as('first'), row.fn.max('taken_at').as('last')])
    .executeTakeFirstOrThrow();
  return [first, last].filter((time) => time !== null);
}

/** Counts what {@link listOwnImages} lists in each album, or whose first album it is. */
export async function countByAlbum(
  db: Database,
  ownerId: number,
  filters: ImageFilters,
  { by, now }: { by: 'album' | 'first_album'; now: number },
) {
  const narrowed = await narrow(db, ownerId, { ...filters, ...WHOLE });
  if (!narrowed) return [];
  if (by === 'first_album')
    return matching(db, ownerId, narrowed, now)
      .where('images.album_id', 'is not', null)
      .clearSelect()
      .select((row) => [row.ref('images.album_id').$notNull().as('id'), row.fn.countAll<number>().as('count')])
      .groupBy('images.album_id')
      .execute();
  const images = matching(db, ownerId, narrowed, now).clearSelect().select('images.id as found_id');
  return db.read
    .selectFrom(images.as('found'))
    .innerJoin('album_images', 'album_images.image_id', 'found_id')
    .select((row) => ['album_images.album_id as id', row.fn.countAll<number>().as('count')])
    .groupBy('album_images.album_id')
    .execute();
}

/** The largest id of an image. Ids grow with every upload. */
export async function latestUpload({ read }: Database): Promise<number> {
  const row = await read.selectFrom('images').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

const MOMENT = 'upload ';

/** A moment in the order of uploads, as clients see it: the latest one at that moment. */
export const toAsOf = (opaque: Opaque, uploadId: number): string => opaque.momentOf(MOMENT + uploadId);

/** The latest upload at such a moment; without one, at this moment. @throws InvalidRequestError for one that no count has returned */
export async function uploadAt({ db, opaque }: Pick<Context, 'db' | 'opaque'>, asOf: string | undefined): Promise<number> {
  if (asOf === undefined) return latestUpload(db);
  const moment = opaque.readMoment(asOf);
  if (moment?.startsWith(MOMENT)) return Number(moment.slice(MOMENT.length));
  throw new InvalidRequestError('This as_of isn’t one that a count returned. Count again.', { field: 'as_of' });
}

/** Lists that are read as a whole, oldest upload first: changes to an image don't move it to another page. */
const WHOLE = { sort: 'uploaded_asc', limit: 200 } as const;

/**
 * Reads all images of a list, page by page, even while they are being changed. A search for frequent words is in the order of the ids.
 * @param upTo leaves out later uploads, by id
 */
export async function* walkOwnImages(db: Database, ownerId: number, filters: ImageFilters, upTo: number): AsyncGenerator<ImageRow[]> {
  // The trash has an index by time only. What is put there meanwhile comes before the first page.
  const sort = filters.trash ? 'deleted_desc' : WHOLE.sort;
  const narrowed = await narrow(db, ownerId, { ...filters, ...WHOLE, sort, upTo });
  if (!narrowed) return;
  const { terms, ...others } = narrowed;
  const matches = await findAllMatches(db, ownerId, terms);
  if (matches && !leadsToFew(others)) return yield* walkMatches(db, ownerId, others, matches);
  const found = matches && new Set(matches);
  let cursor: string | undefined;
  do {
    const page: Page<ImageRow> = await readPage(db, ownerId, { ...others, cursor }, Date.now());
    yield found ? page.items.filter(({ id }) => found.has(id)) : page.items;
    cursor = page.next_cursor ?? undefined;
    await setImmediate();
  } while (cursor !== undefined);
}

/** The ids that match a search, in ascending order: for a whole list, the search index is read once, instead of once per page. */
export async function findAllMatches(db: Database, owner: number, terms: SearchTerms | undefined): Promise<number[] | undefined> {
  return terms ? findMatches(db.read, { terms, owner, limit: Number.MAX_SAFE_INTEGER }) : undefined;
}

const leadsToFew = ({ album_id, tag, tags, favourite }: NarrowedFilter) =>
  album_id !== undefined || (tag ?? tags) !== undefined || favourite === true;

async function* walkMatches(db: Database, ownerId: number, filter: NarrowedFilter, matches: number[]): AsyncGenerator<ImageRow[]> {
  for (let from = 0; from < matches.length; from += WHOLE.limit) {
    const ids = matches.slice(from, from + WHOLE.limit);
    yield (await readPage(db, ownerId, { ...filter, ids }, Date.now())).items;
    await setImmediate();
  }
}

/** One page of the images that a filter is for; an album in it must be the user's own. */
async function readPage(db: Database, ownerId: number, filter: NarrowedFilter, now: number): Promise<Page<ImageRow>> {
  const read = (by: NarrowedFilter) => readInTurn(ownImagesQueries(db, ownerId, by, now), filter.limit + 1);
  return pageOf(await readMatches(db, { ownerId, filter, now }, read), orderOf(filter.sort), filter.limit);
}

/** Reads the rows of one page, by their ids if the filter contains a search that allows it. */
export async function readMatches<Row>(
  db: Database,
  { ownerId, filter, now }: OwnList,
  read: (filter: NarrowedFilter) => Promise<Row[]>,
): Promise<Row[]> {
  const { terms, ...others } = filter;
  const ids = terms ? await matchesNearby(db, ownerId, { ...others, terms }, now) : undefined;
  const rows = ids ? await read({ ...others, ids }) : [];
  return rows.length === ids?.length ? rows : read(filter); // not found, or changed meanwhile
}

/**
 * The ids of a page of a search for frequent words, and of one more image if there are more. The search index returns matches in the order
 * of upload, and must read all of them to sort a page. Most lists have nearly that order: the matches near the start of the page suffice.
 * @returns undefined when there aren't enough
 */
async function matchesNearby(
  db: Database,
  ownerId: number,
  { terms, ...filter }: NarrowedFilter & { terms: SearchTerms },
  now: number,
): Promise<number[] | undefined> {
  const queries = columnsOf(ownImagesQueries(db, ownerId, { ...filter, limit: NEARBY }, now), ['id']);
  const ids = (await readInTurn(queries, NEARBY)).map(({ id }) => id);
  const runs = runsOf(ids);
  if (runs.length > MAX_RUNS) return undefined;
  const matching = new Set<number>();
  for (const between of runs) {
    const matches = await findMatches(db.read, { terms, owner: ownerId, limit: TOO_MANY_NEARBY, between });
    if (matches.length === TOO_MANY_NEARBY) return undefined;
    for (const id of matches) matching.add(id);
  }
  const found = ids.filter((id) => matching.has(id)).slice(0, filter.limit + 1);
  return found.length > filter.limit || ids.length < NEARBY ? found : undefined;
}

/** The first and the last of ids that are close to each other: a few pictures that were uploaded at other times are looked for on their own. */
function runsOf(ids: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const id of ids.toSorted((one, two) => one - two)) {
    const run = runs.at(-1);
    if (run && id - run[1] <= NEARBY) run[1] = id;
    else runs.push([id, id]);
  }
  return runs;
}

/**
 * Resolves an album, a search and a size; undefined when nothing can match. If few images match, their ids lead to them directly;
 * if many do, the conditions remain.
 */
export async function narrow(db: Database, ownerId: number, filter: ImageFilter & { upTo?: number }): Promise<NarrowedFilter | undefined> {
  const { q, ...others } = filter;
  if (filter.sort === 'album_order' && !filter.album_id)
    throw new InvalidRequestError('Only an album has this order. Specify its album_id.', { field: 'sort' });
  if (filter.album_id && !(await findJoinedAlbum(db.read, ownerId, filter.album_id))) return undefined;
  if (!q) return narrowBySize(db, ownerId, others);
  const key = await pastedKey(db.read, q, async (bare) => (await findOwnImage(db.read, ownerId, bare)) !== undefined);
  if (key !== undefined) return { ...others, key };
  await prepareSearch(db);
  const search = await resolveSearch(db, ownerId, q, { dates: searchedDates(filter), upTo: filter.upTo });
  if (!search) return undefined;
  const { min_size = 0, max_size = Number.MAX_SAFE_INTEGER, ...found } = search;
  const min = Math.max(min_size, filter.min_size ?? 0) || undefined;
  const max = Math.min(max_size, filter.max_size ?? Number.MAX_SAFE_INTEGER);
  const narrowed = { ...others, ...found, min_size: min, max_size: max < Number.MAX_SAFE_INTEGER ? max : undefined };
  return found.ids || found.terms ? narrowed : narrowBySize(db, ownerId, narrowed);
}

async function narrowBySize(db: Database, ownerId: number, filter: NarrowedFilter): Promise<NarrowedFilter> {
  if ((filter.min_size === undefined && filter.max_size === undefined) || filter.trash) return filter;
  const ids = await findBySize(db, ownerId, filter);
  return ids ? { ...filter, ids } : filter;
}

/** Beyond what cameras that exist can have recorded. */
const MAX_MONTHS = 1_200;

/** The months in which a user's images were taken, latest first. Each takes one look into an index. */
export async function listMonths({ read }: Database, ownerId: number): Promise<string[]> {
  const months: string[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  while (months.length < MAX_MONTHS) {
    const row = await read
      .selectFrom('images')
      .select('taken_at')
      .where('owner_id', '=', ownerId)
      .where('deleted_at', 'is', null)
      .where('taken_at', '<', before)
      .orderBy('taken_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!row) break;
    const month = new Date(row.taken_at).toISOString().slice(0, 7);
    months.push(month);
    before = Date.parse(`${month}-01T00:00:00Z`);
  }
  return months;
}

const ALPHABETICAL: Order = { direction: 'asc', columns: { tag: 'string' } };

/** A user's tags with the number of images outside the trash, in alphabetical order. */
export function listOwnTags(db: Database, ownerId: number, page: PageRequest) {
  const query = db.read
    .selectFrom('image_tags')
    .innerJoin('images', 'images.id', 'image_tags.image_id')
    .select((row) => ['tag', row.fn.countAll<number>().as('image_count')])
    .where('image_tags.owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where('emptied_at', 'is', null)
    .groupBy('tag');
  return keysetPage(query, ALPHABETICAL, page);
}

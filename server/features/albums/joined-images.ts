import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { listAlbumImages } from '#api/albums/pictures.ts';
import type { RouteParsed } from '#api/contract.ts';
import { foldText } from '#api/images/fold-text.ts';
import { parseSearch } from '#api/images/search-terms.ts';
import { openImages, type Visitor } from '#server/core/albums/open-images.ts';
import { searchedDates, withFilters } from '#server/core/images/filters.ts';
import { inTurns } from '#server/core/images/text/in-turns.ts';
import { textsOf } from '#server/core/images/text/recognized.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { readList } from '#server/platform/db/lists.ts';
import { keysetQuery, type Order, type Page, pageOf } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { type DateKind, foldedWords, meetsTerms, partMarks, type SearchTerm } from '#server/platform/db/search-text.ts';

type Query = RouteParsed<typeof listAlbumImages, 'query'>;

/** An image with its place in an album, and who added it. */
export interface ListedImage extends ImageRow {
  position: number;
  image_key: string;
  added_by: number | null;
}

/** By key where values are equal, since a cursor must not reveal row numbers. */
const ORDERS: Record<Query['sort'], Order> = {
  album_order: { direction: 'desc', columns: { position: 'number', image_key: 'string' } },
  uploaded_desc: { direction: 'desc', columns: { created_at: 'number', image_key: 'string' } },
  uploaded_asc: { direction: 'asc', columns: { created_at: 'number', image_key: 'string' } },
  taken_desc: { direction: 'desc', columns: { taken_at: 'number', image_key: 'string' } },
  taken_asc: { direction: 'asc', columns: { taken_at: 'number', image_key: 'string' } },
  name_asc: { direction: 'asc', columns: { name: 'name', image_key: 'string' } },
  size_desc: { direction: 'desc', columns: { size: 'number', image_key: 'string' } },
};

/** Rows that a search reads at once. */
const SLICE = 500;

/** The pictures of an album that a member sees there. A search looks only at what the member may read of each. */
export async function listJoinedImages(
  db: Database,
  albumId: string,
  visitor: Visitor & { memberId: number },
  { q, sort, limit, cursor: start, ...filters }: Query,
): Promise<Page<ListedImage>> {
  const order = ORDERS[sort];
  const page = { limit, cursor: start };
  const listed = openImages(db.read, albumId, visitor).selectAll('images').select(['position', 'image_key', 'added_by']);
  const { visibility, favourite, tag } = filters;
  // Of others' pictures, these aren't told.
  const isOfOwn = visibility !== undefined || favourite !== undefined || tag !== undefined;
  const all = withFilters(listed, { ...filters, sort }, visitor.memberId).$if(isOfOwn, (query) =>
    query.where(sql`coalesce(owner_id, 0)`, '=', visitor.memberId),
  );
  if (!q) return pageOf(await keysetQuery(all, order, page).execute(), order, page.limit);
  const { terms, min_size, max_size } = termsOf(q, searchedDates({ sort }));
  const hasSize = min_size !== undefined || max_size !== undefined;
  if (terms.length === 0 && !hasSize) return { items: [], next_cursor: null };
  const sized = all
    .$if(min_size !== undefined, (query) => query.where('size', '>=', min_size as number))
    .$if(max_size !== undefined, (query) => query.where('size', '<=', max_size as number));
  // Nor are their tags.
  const hasTag = ({ owner_id, tags }: ImageRow, named: string) =>
    owner_id === visitor.memberId && readList<string>(tags).some((tag) => foldText(tag) === named);
  const meets = (row: ImageRow, text: string) =>
    terms.every(({ tag, ...term }) => (tag !== undefined && hasTag(row, tag)) || meetsTerms(row, [term], text));
  const found: ListedImage[] = [];
  let { cursor } = page;
  for (;;) {
    const slice = pageOf(await keysetQuery(sized, order, { limit: SLICE, cursor }).execute(), order, SLICE);
    const texts = await textsOf(db.read, slice.items);
    const textOf = ({ id }: ImageRow) => texts.get(id) ?? '';
    for await (const row of inTurns(slice.items, (item) => textOf(item).length)) if (meets(row, textOf(row))) found.push(row);
    if (found.length > page.limit || slice.next_cursor === null) return pageOf(found, order, page.limit);
    cursor = slice.next_cursor;
    await setImmediate();
  }
}

/** The conditions in a search text, some of which a tag meets, too. Names of albums aren't among them: they are their owners'. */
function termsOf(text: string, kind: DateKind) {
  const { parts, ...sizes } = parseSearch(text);
  const terms = parts.flatMap((part): (SearchTerm & { tag: string | undefined })[] => {
    const words = foldedWords(...part.words);
    const tag = part.tag && foldText(part.tag);
    return words.length === 0 ? [] : [{ texts: [words], marks: partMarks(part, kind), tag }];
  });
  return { terms, ...sizes };
}

/** Pictures of an album that are counted at most: a page shows no more than this. */
const MAX_NEW = 100;

/** Counts what others have uploaded to an album since a moment, of what a member sees there. */
export async function countNew(queries: Queries, albumId: string, memberId: number, since: number): Promise<number> {
  const some = openImages(queries, albumId, { trusted: false, memberId, unlocked: [] })
    .select('image_id')
    .where('state', '>', 0)
    .where('uploaded_at', '>', since)
    .where('images.owner_id', '<>', memberId)
    .limit(MAX_NEW);
  const { count } = await queries
    .selectFrom(some.as('some'))
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

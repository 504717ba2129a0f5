import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { DAY_MS } from '#api/durations.ts';
import { linkExtOf } from '#api/formats.ts';
import type { imageFilters, LIST_SORTS } from '#api/images/images.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import type { DateKind } from '#server/platform/db/search-text.ts';

/** Conditions on images, and the order whose dates they mean. */
export type Filters = Omit<z.output<typeof imageFilters>, 'q' | 'album_id'> & { sort: (typeof LIST_SORTS)[number] };

/** What a list is narrowed by, apart from its search and its album. Tags are those that `ownerId` has given. */
export function withFilters<Query extends SelectQueryBuilder<Tables, 'images', ImageRow>>(
  all: Query,
  filters: Filters,
  ownerId: number,
): Query {
  const { visibility, type, favourite, tag, taken, min_size, max_size } = filters;
  let query: SelectQueryBuilder<Tables, 'images', ImageRow> = all;
  if (visibility) query = query.where('visibility', '=', visibility);
  // A literal, for the index of videos.
  if (type) query = type === 'video' ? query.where(sql<boolean>`duration is not null`) : query.where('ext', '=', linkExtOf(type));
  // A literal, not a parameter: otherwise the database can't use the index of favourites.
  if (favourite !== undefined) query = query.where(favourite ? sql<boolean>`favourite = 1` : sql<boolean>`favourite = 0`);
  if (tag !== undefined) query = query.where('id', 'in', (row) => taggedIds(row, ownerId, [tag.trim()]));
  if (taken !== undefined) query = query.where('taken_at', '>=', startOf(taken)).where('taken_at', '<', startOf(taken, 1));
  // Not ranges of the index by size, whose rows would have to be sorted: where few are in the range, their ids lead to them.
  if (min_size !== undefined) query = query.where(sql<boolean>`+size >= ${min_size}`);
  if (max_size !== undefined) query = query.where(sql<boolean>`+size <= ${max_size}`);
  return withinDates(query, filters) as Query;
}

/** The images to which a user has given one of some tags. */
export function taggedIds(row: ExpressionBuilder<Tables, 'images'>, ownerId: number, tags: readonly string[]) {
  return row.selectFrom('image_tags').select('image_id').where('image_tags.owner_id', '=', ownerId).where('tag', 'in', tags);
}

/** The instant at which a year or month begins, or the one `plus` years or months later. */
function startOf(period: string, plus = 0): number {
  const [year = 0, month] = period.split('-').map(Number);
  return month === undefined ? Date.UTC(year + plus, 0) : Date.UTC(year, month - 1 + plus);
}

/** The dates that a search names, which are those that the list is sorted by, as its headings are; without such an order, dates of upload. */
export const searchedDates = ({ date, sort }: Pick<Filters, 'date' | 'sort'>): DateKind =>
  date === 'taken' || (date === undefined && sort.startsWith('taken')) ? 'taken' : 'uploaded';

const DATES = { taken: 'taken_at', uploaded: 'created_at', deleted: 'deleted_at' } as const;

/** A date given as `to` includes the whole day. */
function withinDates<Row>(query: SelectQueryBuilder<Tables, 'images', Row>, { date, sort, from, to }: Filters) {
  const column = date ? DATES[date] : sort.startsWith('taken') ? 'taken_at' : sort === 'deleted_desc' ? 'deleted_at' : 'created_at';
  const end = to === undefined ? undefined : Date.parse(to) + (to.includes('T') ? 0 : DAY_MS);
  return query
    .$if(from !== undefined, (all) => all.where(column, '>=', Date.parse(from as string)))
    .$if(end !== undefined, (all) => all.where(column, '<', end as number));
}

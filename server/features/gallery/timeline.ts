import type { RouteData, RouteParsed } from '#api/contract.ts';
import { DAY_MS } from '#api/durations.ts';
import type { getTimeline, listPlaceholders, TimelineMonth } from '#api/images/timeline.ts';
import { toShape } from '#api/shapes.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { Page } from '#server/platform/db/page.ts';
import { findAllMatches, narrow, readMatches } from './list.ts';
import {
  columnsOf,
  cursorAfter,
  cursorColumns,
  type NarrowedFilter,
  ownImagesQueries,
  readInTurn,
  readSlices,
  sortedColumn,
} from './list-query.ts';

type TimelineQuery = RouteParsed<typeof getTimeline, 'query'>;
type Timeline = RouteData<typeof getTimeline>;

/** Images per page of the list; a screen shows a few dozen. */
const PAGE_SIZE = 100;

/** Identifies a state of a user's library, and of the names of their albums, by which searches find images. */
export async function libraryVersion(db: Database, userId: number): Promise<string> {
  const { library_version, albums_changed } = await db.read
    .selectFrom('users')
    .select((row) => [
      'library_version',
      row
        .selectFrom('albums')
        .select((album) => album.fn.max('updated_at').as('at'))
        .where('owner_id', '=', userId)
        .as('albums_changed'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return `${userId}-${library_version}-${albums_changed ?? 0}`;
}

/** Counts and shapes of all images of a list, by month (decision 069). */
export async function readTimeline(
  db: Database,
  ownerId: number,
  { time_zone, by, ...filters }: TimelineQuery,
  now: number,
): Promise<Timeline> {
  const query = { ...filters, sort: filters.sort ?? (by === 'taken' ? 'taken_desc' : 'uploaded_desc') } as const;
  const sorted = sortedColumn(query.sort);
  const dayOf = sorted.endsWith('_at') ? localDays(time_zone) : undefined;
  const months = createMonths();
  const cursors: string[] = [];
  let count = 0;
  let last: string | undefined;
  const narrowed = await narrow(db, ownerId, { ...query, limit: PAGE_SIZE });
  for await (const rows of narrowed ? readWhole(db, ownerId, narrowed, now) : []) {
    for (const row of rows) {
      if (count > 0 && count % PAGE_SIZE === 0) cursors.push(last as string);
      count += 1;
      if (count % PAGE_SIZE === 0) last = cursorAfter(row, query.sort);
      months.add(dayOf?.(row[sorted] as number), toShape(row.width, row.height));
    }
  }
  return { count, page_size: PAGE_SIZE, cursors, months: months.finish(), similar: narrowed?.similar ?? [] };
}

/** One page of the placeholders of a list. */
export async function readPlaceholders(
  db: Database,
  ownerId: number,
  filter: RouteParsed<typeof listPlaceholders, 'query'>,
  now: number,
): Promise<Page<string | null>> {
  const narrowed = await narrow(db, ownerId, filter);
  if (!narrowed) return { items: [], next_cursor: null };
  const rows = await readMatches(db, { ownerId, filter: narrowed, now }, (by) =>
    readInTurn(columnsOf(ownImagesQueries(db, ownerId, by, now), [...cursorColumns(filter.sort), 'thumbhash']), filter.limit + 1),
  );
  const items = rows.slice(0, filter.limit);
  const end = items.at(-1);
  const more = rows.length > items.length && end;
  return {
    items: items.map(({ thumbhash }) => thumbhash || null),
    next_cursor: more ? cursorAfter(end, filter.sort) : null,
  };
}

/** Reads what the timeline needs of a whole list, slice by slice. */
async function* readWhole(db: Database, ownerId: number, filter: NarrowedFilter, now: number) {
  const { terms, ...others } = filter;
  const matches = await findAllMatches(db, ownerId, terms);
  const found = matches && new Set(matches);
  const columns = [...new Set(['id' as const, ...cursorColumns(filter.sort), 'width' as const, 'height' as const])];
  for await (const rows of readSlices(db, { ownerId, filter: others, now }, columns))
    yield found ? rows.filter(({ id }) => found.has(id)) : rows;
}

/** Collects images into months, in the order of the list. */
function createMonths() {
  const months: { month: string | null; days: [number, number][]; shapes: number[] }[] = [];
  return {
    add(date: LocalDay | undefined, shape: number) {
      let current = months.at(-1);
      if (!current || current.month !== (date?.month ?? null)) {
        current = { month: date?.month ?? null, days: [], shapes: [] };
        months.push(current);
      }
      current.shapes.push(shape);
      if (!date) return;
      const day = current.days.at(-1);
      if (day?.[0] === date.day) day[1] += 1;
      else current.days.push([date.day, 1]);
    },
    finish: (): TimelineMonth[] =>
      months.map(({ month, days, shapes }) => ({
        month,
        count: shapes.length,
        days,
        shapes: Buffer.from(shapes).toString('base64'),
      })),
  };
}

/** A calendar day: the month such as `2026-11`, and the day in it. */
interface LocalDay {
  month: string;
  day: number;
}

/**
 * Returns a function that finds the calendar day of an instant (milliseconds since 1970) in a time zone. Formatting each instant would
 * take seconds for a large library, so the offset is looked up once for each day (UTC) during which it doesn't change.
 */
export function localDays(timeZone: string): (instant: number) => LocalDay {
  const offsets = new Map<number, number>();
  let last = { number: Number.NaN, day: { month: '', day: 0 } };
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });

  function offsetAt(instant: number): number {
    const second = Math.floor(instant / 1000) * 1000;
    const parts = Object.fromEntries(format.formatToParts(second).map(({ type, value }) => [type, Number(value)])) as Record<
      string,
      number
    >;
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second: seconds = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, seconds) - second;
  }

  function startOffset(utcDay: number): number {
    const known = offsets.get(utcDay) ?? offsetAt(utcDay * DAY_MS);
    offsets.set(utcDay, known);
    return known;
  }

  return (instant) => {
    const utcDay = Math.floor(instant / DAY_MS);
    const offset = startOffset(utcDay) === startOffset(utcDay + 1) ? startOffset(utcDay) : offsetAt(instant);
    const number = Math.floor((instant + offset) / DAY_MS);
    // Images in a row are mostly of the same day.
    if (number !== last.number) {
      const local = new Date(number * DAY_MS);
      last = { number, day: { month: local.toISOString().slice(0, 7), day: local.getUTCDate() } };
    }
    return last.day;
  };
}

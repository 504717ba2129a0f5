import { setImmediate } from 'node:timers/promises';
import type { RouteData, RouteParsed } from '#api/contract.ts';
import { toShape } from '#api/shapes.ts';
import type { getTimeline, listPlaceholders, TimelineMonth } from '#api/timeline.ts';
import type { Database } from '#server/platform/db/database.ts';
import { encodeCursor, type Page } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { type ImageFilter, narrow, orderOf, ownImagesQueries, readInTurn } from './list.ts';
import { type LocalDay, localDays } from './local-days.ts';

type TimelineQuery = RouteParsed<typeof getTimeline, 'query'>;
type Timeline = RouteData<typeof getTimeline>;
type Column = keyof ImageRow & ('id' | 'width' | 'height' | 'created_at' | 'taken_at' | 'name' | 'size' | 'thumbhash');

/** Images per page of the list; a screen shows a few dozen. */
const PAGE_SIZE = 100;
/** Rows that are read at once, in about 2 ms: other requests, such as those for the first thumbnails, run in between. */
const SLICE = 1_000;

/** Identifies a state of a user's library. */
export async function libraryVersion(db: Database, userId: number): Promise<string> {
  const { library_version } = await db.read
    .selectFrom('users')
    .select('library_version')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return `${userId}-${library_version}`;
}

/** Counts and shapes of all images of a list, by month (decision 069). */
export async function readTimeline(db: Database, ownerId: number, { time_zone, ...query }: TimelineQuery, now: number): Promise<Timeline> {
  const filter = { ...query, limit: SLICE };
  const order = orderOf(filter.sort);
  const [sorted] = Object.keys(order.columns) as [Column];
  const dayOf = sorted === 'created_at' || sorted === 'taken_at' ? localDays(time_zone) : undefined;
  const months = createMonths();
  const cursors: string[] = [];
  let count = 0;
  let last: string | undefined;
  for await (const rows of readSlices(db, ownerId, filter, ['id', sorted, 'width', 'height'], now)) {
    for (const row of rows) {
      if (count > 0 && count % PAGE_SIZE === 0) cursors.push(last as string);
      count += 1;
      if (count % PAGE_SIZE === 0) last = encodeCursor([row[sorted] as number | string, row.id]);
      months.add(dayOf?.(row[sorted] as number), toShape(row.width, row.height));
    }
  }
  return { count, page_size: PAGE_SIZE, cursors, months: months.finish() };
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
  const [sorted] = Object.keys(orderOf(filter.sort).columns) as [Column];
  const rows = await readInTurn(columnsOf(ownImagesQueries(db, ownerId, narrowed, now), ['id', sorted, 'thumbhash']), filter.limit + 1);
  const items = rows.slice(0, filter.limit);
  const end = items.at(-1);
  const more = rows.length > items.length && end;
  return {
    items: items.map(({ thumbhash }) => thumbhash || null),
    next_cursor: more ? encodeCursor([end[sorted] as number | string, end.id]) : null,
  };
}

/** Reads some columns of a whole list, slice by slice. */
async function* readSlices<C extends Column>(db: Database, ownerId: number, filter: ImageFilter, columns: C[], now: number) {
  const narrowed = await narrow(db, ownerId, filter);
  if (!narrowed) return;
  const [sorted] = Object.keys(orderOf(filter.sort).columns) as [C];
  let cursor: string | undefined;
  for (;;) {
    const rows = await readInTurn(columnsOf(ownImagesQueries(db, ownerId, { ...narrowed, cursor }, now), columns), SLICE);
    yield rows;
    const last = rows.at(-1);
    if (rows.length < SLICE || !last) return;
    cursor = encodeCursor([last[sorted] as number | string, (last as unknown as ImageRow).id]);
    await setImmediate();
  }
}

function columnsOf<C extends Column>(queries: ReturnType<typeof ownImagesQueries>, columns: C[]) {
  return queries.map((query) => query.clearSelect().select(columns) as unknown as { execute(): Promise<Pick<ImageRow, C>[]> });
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

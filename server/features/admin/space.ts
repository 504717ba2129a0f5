import { join } from 'node:path';
import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Space } from '#api/admin/system.ts';
import type { Context } from '#server/core/context.ts';
import { guestUsage } from '#server/core/images/images.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { yearOf } from '#server/platform/db/dialect.ts';
import { removableUntil } from '#server/platform/storage/blob-rows.ts';
import { folderSize } from './folder-size.ts';

const MAX_USERS = 50;
/** Images per query: a million at once would block every request for a second. */
const CHUNK = 50_000;

/** Measures the disk usage of every image and thumbnail, in pieces between other requests. */
export async function measureSpace({ db, config }: Pick<Context, 'db' | 'config'>): Promise<Space> {
  const trash = await trashUsage(db.read);
  const unused_bytes = await unusedBytes(db.read);
  const thumbnails_bytes = await folderSize(thumbnailsFolder(config));
  return {
    by_user: await byUser(db.read),
    by_year: await byYear(db),
    stored_bytes: await storedBytes(db),
    trash,
    unused_bytes,
    thumbnails_bytes,
    backups_bytes: await folderSize(join(config.dataDir, 'backups')),
    clean_ups: [
      { what: 'trash', frees_bytes: trash.bytes, description: 'Permanently deletes everything in everyone’s trash.' },
      {
        what: 'unused',
        frees_bytes: await unusedBytes(db.read, removableUntil(db)),
        description: 'Removes the files of deleted pictures. They’re also removed automatically after a while.',
      },
      { what: 'thumbnails', frees_bytes: thumbnails_bytes, description: 'Deletes all thumbnails. They’re created again when needed.' },
    ],
  };
}

export const thumbnailsFolder = ({ dataDir }: { dataDir: string }) => join(dataDir, 'thumbs');

async function byUser(queries: Queries): Promise<Space['by_user']> {
  const rows = await queries
    .selectFrom('users')
    .select(['id', 'username', 'storage_used_bytes as bytes', 'image_count as images'])
    .orderBy('storage_used_bytes', 'desc')
    .limit(MAX_USERS)
    .execute();
  const guests = await guestUsage(queries);
  const users = rows.map(({ id, username, bytes, images }) => ({ user: { id, username }, bytes, images }));
  return guests.images > 0 ? [...users, { user: null, ...guests }] : users;
}

async function byYear(db: Database): Promise<Space['by_year']> {
  const years = new Map<string, { bytes: number; images: number }>();
  const { last } = await db.read
    .selectFrom('images')
    .select((row) => row.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  for (let first = 0; first <= (last ?? 0); first += CHUNK) {
    for (const { year, bytes, images } of await yearsOfChunk(db.read, first)) {
      const sum = years.get(year) ?? { bytes: 0, images: 0 };
      years.set(year, { bytes: sum.bytes + bytes, images: sum.images + images });
    }
    await yieldToRequests();
  }
  return [...years].toSorted(([one], [other]) => one.localeCompare(other)).map(([year, sum]) => ({ year, ...sum }));
}

function yearsOfChunk(queries: Queries, first: number) {
  return queries
    .selectFrom('images')
    .select((row) => [yearOf(queries, 'created_at').as('year'), row.fn.countAll<number>().as('images'), sql<number>`sum(size)`.as('bytes')])
    .where('id', '>=', first)
    .where('id', '<', first + CHUNK)
    .where('emptied_at', 'is', null)
    .groupBy('year')
    .execute();
}

/** Identical files are stored once, so that users' totals may add up to more. */
async function storedBytes(db: Database): Promise<number> {
  const policies = await db.read.selectFrom('policies').select('id').execute();
  let bytes = 0;
  for (const { id } of policies) {
    for (const digit of '0123456789abcdef') {
      const part = await db.read
        .selectFrom('blobs')
        .select(sql<number>`coalesce(sum(size), 0)`.as('bytes'))
        .where('policy_id', '=', id)
        .where('sha256', '>=', digit)
        .where('sha256', '<', `${digit}g`)
        .executeTakeFirstOrThrow();
      bytes += part.bytes;
      await yieldToRequests();
    }
  }
  return bytes;
}

function trashUsage(queries: Queries) {
  return queries
    .selectFrom('images')
    .select((row) => [row.fn.countAll<number>().as('images'), sql<number>`coalesce(sum(size), 0)`.as('bytes')])
    .where('deleted_at', 'is not', null)
    .where('emptied_at', 'is', null)
    .executeTakeFirstOrThrow();
}

/** The size of the files of deleted pictures. @param until unused since then or longer */
export async function unusedBytes(queries: Queries, until?: number): Promise<number> {
  const unused = queries.selectFrom('blobs').select(sql<number>`coalesce(sum(size), 0)`.as('bytes')).where('unused_since', 'is not', null);
  const { bytes } = await (until === undefined ? unused : unused.where('unused_since', '<=', until)).executeTakeFirstOrThrow();
  return bytes;
}

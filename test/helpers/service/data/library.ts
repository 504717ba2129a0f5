import { hash } from 'node:crypto';
import type { Insertable } from 'kysely';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';

/** Adds {@link imageRows}, and returns their keys. */
export async function addImageRows(
  db: Database,
  ownerId: number | null,
  amount: number,
  each: (index: number) => Partial<ImageRow>,
): Promise<string[]> {
  const rows = imageRows(ownerId, amount, each);
  await db.as('job').write(async (queries) => {
    for (const row of rows) await queries.insertInto('images').values(row).execute();
  });
  return rows.map(({ key }) => key);
}

/** Image rows without files, for lists too long to upload. `each` returns the differences of the nth row. */
export function imageRows(
  ownerId: number | null,
  amount: number,
  each: (index: number) => Partial<ImageRow>,
): Insertable<Tables['images']>[] {
  const rows: Insertable<Tables['images']>[] = [];
  for (let index = 0; index < amount; index++) {
    const key = randomKey(12);
    const sha256 = hash('sha256', key);
    const now = Date.now();
    rows.push({
      key,
      owner_id: ownerId,
      policy_id: 1,
      sha256,
      input_sha256: sha256,
      name: `picture ${index}.jpg`,
      ext: 'jpg',
      mime: 'image/jpeg',
      size: 1000,
      width: 30,
      height: 20,
      visibility: 'public' as const,
      album_id: null,
      password_hash: null,
      max_views: 0,
      taken_at: now,
      created_at: now,
      updated_at: now,
      expires_at: null,
      deleted_at: null,
      emptied_at: null,
      uploader_address: '127.0.0.1',
      ...each(index),
    });
  }
  return rows;
}

/** The expected values of a user's counters, computed from the rows. */
export async function countedStorage(db: Database, userId: number) {
  const booked = await db.read
    .selectFrom('users')
    .select(['storage_used_bytes', 'image_count'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const rows = await db.read.selectFrom('images').select('size').where('owner_id', '=', userId).where('emptied_at', 'is', null).execute();
  return { booked, real: { storage_used_bytes: rows.reduce((sum, { size }) => sum + size, 0), image_count: rows.length } };
}

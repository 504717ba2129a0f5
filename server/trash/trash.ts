import { TRASH_DAYS } from '#api/trash.ts';
import type { Database } from '../db/database.ts';
import { decodeCursor, type Position } from '../db/page.ts';
import type { ImageRow } from '../images/images.ts';
import { purgeImages } from '../images/purge.ts';

const DAY_MS = 86_400_000;
/** Rows per commit where a whole trash is emptied, so that others get their turn in between. */
const PURGE_BATCH = 200;

/** When an image in the trash goes for good; milliseconds since 1970. */
export const purgeTime = (deletedAt: number) => deletedAt + TRASH_DAYS * DAY_MS;

/** What is in a user's trash and can be restored, latest first: `limit` and one more. */
export function listOwnTrash(
  db: Database,
  ownerId: number,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<ImageRow[]> {
  const after = decodeCursor(cursor);
  let query = db.read
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is not', null)
    .where('emptied_at', 'is', null);
  if (after) query = query.where((row) => row(row.refTuple('deleted_at', 'id'), '<', row.tuple(Number(after.value), after.id)));
  return query
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

export const trashPosition = ({ deleted_at, id }: ImageRow): Position => ({ value: deleted_at ?? 0, id });

/** Purges all that was put into the trash up to `until`: one user's, or everybody's. Answers the keys. */
export async function purgeTrash(db: Database, until: number, ownerId?: number): Promise<string[]> {
  const purged: string[] = [];
  for (;;) {
    const rows = await db.write(async (queries) => {
      let query = queries.selectFrom('images').selectAll().where('deleted_at', '<=', until);
      if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId);
      const batch = await query.limit(PURGE_BATCH).execute();
      await purgeImages(queries, batch, Date.now());
      return batch;
    });
    purged.push(...rows.map(({ key }) => key));
    if (rows.length < PURGE_BATCH) return purged;
  }
}

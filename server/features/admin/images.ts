import type * as api from '#api/admin/images.ts';
import type { RouteParsed } from '#api/contract.ts';
import type { BatchResult } from '#api/images/changes.ts';
import { imageDeleted } from '#server/core/images/events.ts';
import { findImageByKey } from '#server/core/images/images.ts';
import { purgeImages } from '#server/core/images/lifetime/purge.ts';
import { pastedKey, prepareSearch } from '#server/core/images/text/search.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { enqueueEvents } from '#server/core/journal/events.ts';
import type { Database, WritableDatabase } from '#server/platform/db/database.ts';
import { matchesSearch } from '#server/platform/db/dialect.ts';
import { keysetQuery, type Order, type Page, pageOf } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { textTerms } from '#server/platform/db/search-text.ts';

/** An image with the name of its owner; null for a guest's. */
export interface ImageWithOwner extends ImageRow {
  owner_name: string | null;
}

type Filter = RouteParsed<typeof api.listAllImages, 'query'>;

/** All users' images, newest first. */
export async function listAllImages(db: Database, filter: Filter): Promise<Page<ImageWithOwner>> {
  return pageOf(await findAllImages(db, filter), orderOf(filter), filter.limit);
}

async function findAllImages(db: Database, filter: Filter): Promise<ImageWithOwner[]> {
  const key = await pastedKey(db.read, filter.q, async (bare) => (await findImageByKey(db.read, bare)) !== undefined);
  if (key !== undefined)
    return allImagesQuery(db, { ...filter, q: undefined })
      .where('images.key', '=', key)
      .execute();
  if (!filter.q) return allImagesQuery(db, filter).execute();
  await prepareSearch(db);
  return allImagesQuery(db, filter, await ownersOf(db, filter)).execute();
}

/** The owners whose images a list can contain; null: guests. */
async function ownersOf({ read }: Database, { user_id, guests }: Filter): Promise<(number | null)[]> {
  if (user_id !== undefined) return [user_id];
  if (guests !== undefined) return [null];
  return [null, ...(await read.selectFrom('users').select('id').execute()).map(({ id }) => id)];
}

/**
 * The query behind the list.
 * @param owners whose images a search looks through
 */
export function allImagesQuery(db: Database, filter: Filter, owners: readonly (number | null)[] = []) {
  const { q, user_id, guests, visibility, state } = filter;
  const matching = db.read
    .selectFrom('images')
    .leftJoin('users', 'users.id', 'images.owner_id')
    .selectAll('images')
    .select('users.username as owner_name')
    .where('images.deleted_at', state === 'trash' ? 'is not' : 'is', null)
    .where('images.emptied_at', 'is', null)
    .$if(user_id !== undefined, (query) => query.where('images.owner_id', '=', user_id ?? 0))
    .$if(guests !== undefined, (query) => query.where('images.owner_id', 'is', null))
    .$if(visibility !== undefined, (query) => query.where('images.visibility', '=', visibility ?? 'public'))
    .$if(!!q, (query) => query.where(matchesSearch(db.read, textTerms(q ?? ''), owners)));
  return keysetQuery(matching, orderOf(filter), filter);
}

/** The order that an index provides without reading images outside the filter. */
function orderOf({ state, user_id, guests }: Filter): Order {
  const byOwner = user_id !== undefined || guests !== undefined;
  if (state === 'trash') return { direction: 'desc', columns: { 'images.deleted_at': 'number', 'images.id': 'number' } };
  if (byOwner) return { direction: 'desc', columns: { 'images.created_at': 'number', 'images.id': 'number' } };
  return { direction: 'desc', columns: { 'images.id': 'number' } };
}

/** Deletes any user's images permanently in one commit, whether or not they are in the trash. */
export async function purgeAnyImages(db: WritableDatabase, keys: readonly string[], origin: AuditOrigin): Promise<BatchResult[]> {
  const unique = [...new Set(keys)];
  const purged = await db.write(async (queries) => {
    const rows = await queries.selectFrom('images').selectAll().where('key', 'in', unique).execute();
    await purgeImages(queries, rows, Date.now());
    await enqueueEvents(queries, rows.filter(({ deleted_at }) => deleted_at === null).map(imageDeleted));
    if (rows.length > 0) {
      const target = `${rows.length} ${rows.length === 1 ? 'picture' : 'pictures'}`;
      await recordAudit(queries, origin, { action: 'images.purged', target, details: { keys: rows.map(({ key }) => key) } });
    }
    return new Set(rows.map(({ key }) => key));
  });
  return unique.map((key) => (purged.has(key) ? { key, ok: true } : { key, ok: false, code: 'not_found' }));
}

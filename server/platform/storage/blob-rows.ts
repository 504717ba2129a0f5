import type { ExpressionBuilder, Insertable } from 'kysely';
import { HOUR_MS } from '#api/durations.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import type { StagedFile } from './staged.ts';

// Queries on the table `blobs`: which blobs exist, which are unused, and which are being removed.

export interface BlobRef {
  policyId: number;
  sha256: string;
}

/** A blob's name among what is derived from blobs: `<policy>-<sha256>`. */
export const nameOf = ({ policyId, sha256 }: BlobRef) => `${policyId}-${sha256}`;

/** The blob with a name; undefined for other names. */
export function refOf(name: string): BlobRef | undefined {
  const [, policyId, sha256] = /^(\d+)-([0-9a-f]{64})$/.exec(name) ?? [];
  return policyId && sha256 ? { policyId: Number(policyId), sha256 } : undefined;
}

/** The number of unused blobs that are listed at once. */
export const SWEEP_BATCH = 200;
/** On a shared database, a service may back up or store what another would remove: unused blobs stay for longer than that takes. */
const SHARED_KEEP_MS = 12 * HOUR_MS;
/**
 * While a service removes a blob, `unused_since` is the negative time at which it began. After this long, the service has failed and
 * others may remove or store the blob; a request to an object store has ended long before.
 */
const REMOVAL_MS = HOUR_MS;

/** The condition that an image uses a blob, as its file or as the poster of its video. */
export const usesBlob =
  ({ policyId, sha256 }: BlobRef) =>
  (row: ExpressionBuilder<Tables, 'images'>) =>
    row.and([
      row.or([row.and({ policy_id: policyId, sha256 }), row.and({ poster_policy_id: policyId, poster_sha256: sha256 })]),
      row('emptied_at', 'is', null),
    ]);

/** Whether an image uses a blob. */
async function isUsed(queries: Queries, ref: BlobRef) {
  return (await queries.selectFrom('images').select('id').where(usesBlob(ref)).limit(1).executeTakeFirst()) !== undefined;
}

export type WithBlobs = Pick<ImageRow, 'policy_id' | 'sha256' | 'poster_policy_id' | 'poster_sha256'>;

/** The poster of a video. */
const posterOf = ({ poster_policy_id: policyId, poster_sha256: sha256 }: WithBlobs): BlobRef | undefined =>
  policyId === null || sha256 === null ? undefined : { policyId, sha256 };

/** The blob that the thumbnails of an image are made from: its own, or the poster of a video. */
export const shownBlobOf = (image: WithBlobs): BlobRef => posterOf(image) ?? { policyId: image.policy_id, sha256: image.sha256 };

/** The blobs of an image. */
export function blobsOf(image: WithBlobs): BlobRef[] {
  const poster = posterOf(image);
  return [{ policyId: image.policy_id, sha256: image.sha256 }, ...(poster ? [poster] : [])];
}

/** Images that use a blob without a row. */
export const imagesWithoutBlob = (queries: Queries) => {
  const used = queries
    .selectFrom('images')
    .select(['key', 'name', 'policy_id as used_policy_id', 'sha256 as used_sha256'])
    .where('emptied_at', 'is', null)
    .unionAll(
      queries
        .selectFrom('images')
        .select(['key', 'name', 'poster_policy_id as used_policy_id', 'poster_sha256 as used_sha256'])
        .where('emptied_at', 'is', null)
        .where('poster_sha256', 'is not', null)
        .$castTo<{ key: string; name: string; used_policy_id: number; used_sha256: string }>(),
    );
  return queries
    .selectFrom(used.as('used'))
    .leftJoin('blobs', (join) => join.onRef('blobs.policy_id', '=', 'used_policy_id').onRef('blobs.sha256', '=', 'used_sha256'))
    .select(['key', 'name', 'used_policy_id', 'used_sha256'])
    .where('blobs.sha256', 'is', null);
};

/** Whether a blob has a row. */
export async function isRecorded({ read }: Pick<Database, 'read'>, ref: BlobRef) {
  return (await read.selectFrom('blobs').select('sha256').where(isBlob(ref)).executeTakeFirst()) !== undefined;
}

/** Those of some blobs that have no row. */
export async function listUnrecorded(db: Database, refs: readonly BlobRef[]): Promise<BlobRef[]> {
  if (refs.length === 0) return [];
  const rows = await db.read
    .selectFrom('blobs')
    .select(['policy_id as policyId', 'sha256'])
    .where(
      'sha256',
      'in',
      refs.map(({ sha256 }) => sha256),
    )
    .execute();
  const recorded = new Set(rows.map(nameOf));
  return refs.filter((ref) => !recorded.has(nameOf(ref)));
}

/** Records a blob that nothing uses, so that the sweep removes it. */
export async function leaveToSweep(db: WritableDatabase, { policyId, sha256 }: BlobRef) {
  await db.write((queries) =>
    queries
      .insertInto('blobs')
      .values({ policy_id: policyId, sha256, size: 0, unused_since: Date.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

/** What `unused_since` is while a service removes a blob: it tells its removal from others. */
export const newClaim = (): number => -Date.now();

/**
 * Has other services wait before they remove or store the same blob. Returns false when the blob is in use again, recently was, or is being removed by
 * another service. If this fails, the claim may have been made anyway.
 */
export function startRemoval(db: WritableDatabase, ref: BlobRef, claim: number): Promise<boolean> {
  return db.write(async (queries) => {
    const now = -claim;
    const isFree = !(await isUsed(queries, ref));
    const { numUpdatedRows } = await queries
      .updateTable('blobs')
      .set({ unused_since: isFree ? claim : null })
      .where(isBlob(ref))
      .where('unused_since', '<=', now - keepMs(db))
      .where(notBeingRemoved(now))
      .executeTakeFirst();
    return isFree && numUpdatedRows > 0n;
  });
}

/** Lets any service remove or store a blob again that this one couldn't remove. */
export async function giveUpRemoval(db: WritableDatabase, ref: BlobRef, claim: number): Promise<void> {
  const unused_since = Date.now() - keepMs(db);
  await db.write((queries) =>
    queries.updateTable('blobs').set({ unused_since }).where(isBlob(ref)).where('unused_since', '=', claim).execute(),
  );
}

/** Keeps an unused blob that is about to be stored from being removed. @throws RequestError `unavailable` while it is */
export async function keepFromRemoval(db: WritableDatabase, ref: BlobRef): Promise<void> {
  const known = await db.read.selectFrom('blobs').select('unused_since').where(isBlob(ref)).executeTakeFirst();
  if (!known || known.unused_since === null) return;
  const { numUpdatedRows } = await db.write((queries) =>
    queries.updateTable('blobs').set({ unused_since: Date.now() }).where(isBlob(ref)).where(notBeingRemoved(Date.now())).executeTakeFirst(),
  );
  if (numUpdatedRows === 0n)
    throw new RequestError('unavailable', 'The same file is being deleted at this moment. Try again.', { retry_after: 2 });
}

/**
 * Has removals that a former run of the only service didn't complete begin again. In an object store, its last request may still be
 * completed: those wait.
 */
export async function resumeRemovals(db: Database): Promise<void> {
  if (db.isShared) return;
  const local = db.read.selectFrom('policies').select('id').where('driver', '=', 'local');
  const left = await db.read
    .selectFrom('blobs')
    .select('sha256')
    .where('unused_since', '<', 0)
    .where('policy_id', 'in', local)
    .limit(1)
    .execute();
  if (left.length === 0) return;
  await db.as('start').write((queries) =>
    queries
      .updateTable('blobs')
      .set((row) => ({ unused_since: row.neg(row.ref('unused_since')) }))
      .where('unused_since', '<', 0)
      .where('policy_id', 'in', queries.selectFrom('policies').select('id').where('driver', '=', 'local'))
      .execute(),
  );
}

/** Marks blobs as unused when images stop using them; the sweep checks again before it removes anything. */
export async function releaseBlobs(queries: Queries, refs: BlobRef[], now: number): Promise<void> {
  for (const ref of refs) await queries.updateTable('blobs').set({ unused_since: now }).where(isBlob(ref)).execute();
}

/** The condition that a row of `blobs` is this one. */
export const isBlob =
  ({ policyId, sha256 }: BlobRef) =>
  (row: ExpressionBuilder<Tables, 'blobs'>) =>
    row.and({ policy_id: policyId, sha256 });

/** The condition that no service is removing a blob at `now`. */
const notBeingRemoved = (now: number) => (row: ExpressionBuilder<Tables, 'blobs'>) =>
  row.or([row('unused_since', 'is', null), row('unused_since', '>=', REMOVAL_MS - now)]);

/** A sweep removes what has been unused since then or longer; undefined: everything unused. */
export const removableUntil = ({ isShared }: Pick<Database, 'isShared'>): number | undefined =>
  isShared ? Date.now() - SHARED_KEEP_MS : undefined;

const keepMs = ({ isShared }: Pick<Database, 'isShared'>): number => (isShared ? SHARED_KEEP_MS : 0);

/** Unused blobs in a fixed order, after the given one. @param until unused since then or longer */
export function listUnused(queries: Queries, after: BlobRef | undefined, only: number | undefined, until?: number) {
  let query = queries.selectFrom('blobs').selectAll().where('unused_since', 'is not', null);
  if (until !== undefined) query = query.where('unused_since', '<=', until);
  if (only !== undefined) query = query.where('policy_id', '=', only);
  if (after) query = query.where((row) => row(row.refTuple('policy_id', 'sha256'), '>', row.tuple(after.policyId, after.sha256)));
  return query.orderBy('policy_id').orderBy('sha256').limit(SWEEP_BATCH).execute();
}

export async function recordAndRefer<T>(
  queries: Queries,
  policyId: number,
  file: StagedFile,
  refer: (queries: Queries) => Promise<T>,
): Promise<T> {
  await recordUse(queries, { policy_id: policyId, sha256: file.sha256, size: file.size });
  return refer(queries);
}

const recordUse = compileOnce((queries, blob: Pick<Insertable<Tables['blobs']>, 'policy_id' | 'sha256' | 'size'>) =>
  queries
    .insertInto('blobs')
    .values({ ...blob, unused_since: null })
    // The size of one that a failed request has left isn't known.
    .onConflict((conflict) => conflict.columns(['policy_id', 'sha256']).doUpdateSet({ size: blob.size, unused_since: null })),
);

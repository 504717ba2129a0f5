import { realpath } from 'node:fs/promises';
import { sql } from 'kysely';
import type * as api from '#api/admin/policies.ts';
import type { Policy } from '#api/admin/policies.ts';
import { DEFAULT_QUALITY, MASKED_SECRET } from '#api/constants.ts';
import type { RouteParsed } from '#api/contract.ts';
import type { Context } from '#server/core/context.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { policyById } from '#server/core/policies/policies.ts';
import { InvalidRequestError, RequestError, requireFound } from '#server/platform/base/errors.ts';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import type { Author, Database, Queries } from '#server/platform/db/database.ts';
import { readList } from '#server/platform/db/lists.ts';
import { keysetPage, OLDEST_FIRST, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import {
  abandonStorage,
  changeStorage,
  type NewStorage,
  prepareStorage,
  type StorageChanges,
  testStorage,
} from '#server/platform/storage/drivers.ts';

export type NewPolicy = RouteParsed<typeof api.createPolicy, 'body'>;
export type PolicyChanges = RouteParsed<typeof api.changePolicy, 'body'>;
type ConnectionTest = RouteParsed<typeof api.testPolicy, 'body'>;

export interface PolicyWithCount extends PolicyRow {
  image_count: number;
}

/** One change at a time tests a storage and stores it, so that no other change is lost or takes the same place. */
const lock = createKeyedLock();

const GONE = 'This storage policy no longer exists. Reload the list.';

const policiesWithCount = (queries: Queries) =>
  queries
    .selectFrom('policies')
    .selectAll()
    .select(sql<number>`(select count(*) from images where images.policy_id = policies.id)`.as('image_count'));

/** All storage policies, oldest first. */
export function listPolicies(db: Database, page: PageRequest): Promise<Page<PolicyWithCount>> {
  return keysetPage(policiesWithCount(db.read), OLDEST_FIRST, page);
}

/** @throws NotFoundError */
export async function policyWithCount(db: Database, id: number): Promise<PolicyWithCount> {
  return requireFound(await policiesWithCount(db.read).where('id', '=', id).executeTakeFirst(), GONE);
}

const DEFAULTS = {
  keep_metadata: 0,
  max_side: 0,
  convert_to: null,
  quality: DEFAULT_QUALITY,
  heic_to: 'jpg',
  cache_seconds: 0,
} as const;

/** Creates a policy with its own folder or bucket and returns its id. @throws RequestError for one that can't be used */
export async function createPolicy(context: Context, author: Author, policy: NewPolicy, origin: AuditOrigin): Promise<number> {
  const { db, config, secrets, links, log } = context;
  const { driver, folder, config: bucket, name, ...processing } = policy;
  requireOtherOrigin(bucket, links.address());
  return lock(config.dataDir, async () => {
    const others = await places(db.read);
    const storage = storageOf(policy);
    const stored = await prepareStorage(storage, others, { dataDir: await realpath(config.dataDir), secrets });
    const created = db.as(author).write(async (queries) => {
      requireSame(await places(queries), others);
      const { id } = await queries
        .insertInto('policies')
        .values({ ...DEFAULTS, ...toColumns(processing), name, driver, config: stored, created_at: Date.now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      const place = bucket ? { endpoint: bucket.endpoint, bucket: bucket.bucket, prefix: bucket.prefix } : { folder };
      await recordAudit(queries, origin, { action: 'policy.created', target: name, details: { ...processing, ...place } });
      return id;
    });
    const abandon = async () => {
      // A commit whose flush has failed is in effect.
      if (!(await places(db.read)).some(({ config }) => config === stored)) await abandonStorage(storage, stored);
    };
    return created.catch(async (error: unknown) => {
      await abandon().catch((err: unknown) => log.warn({ err }, 'the place of a storage policy that wasn’t created couldn’t be freed'));
      throw error;
    });
  });
}

/** Where the policies store their blobs, except for one of them. */
const places = (queries: Queries, except = 0) =>
  queries.selectFrom('policies').select(['driver', 'config']).where('id', '!=', except).orderBy('id').execute();

/** Another service may have changed what was tested. */
function requireSame(latest: unknown, tested: unknown) {
  if (JSON.stringify(latest) !== JSON.stringify(tested))
    throw new RequestError('conflict', 'The storage policies have just been changed. Try again.', { problem: 'policies_changed' });
}

function storageOf({ driver, folder, config }: NewPolicy): NewStorage {
  if (driver === 'local') return { driver, folder: requireField(folder, 'folder', 'Enter the folder for the pictures.') };
  const access = requireField(config, 'config', 'Enter the bucket’s connection settings.');
  requireField(keptSecret(access.secret_access_key) ? undefined : true, 'config.secret_access_key', 'Enter the secret access key.');
  return { driver, config: withoutSlash(access) };
}

/** Objects come with headers of their own, so they must not share an origin with the site. */
function requireOtherOrigin(bucket: Pick<StorageChanges, 'public_url'> | undefined, address: string) {
  if (!bucket?.public_url || new URL(bucket.public_url).origin !== new URL(address).origin) return;
  throw new InvalidRequestError('This is the address of this site. Enter the address of a CDN with a host name of its own.', {
    field: 'config.public_url',
    problem: 'own_address',
  });
}

function requireField<T>(value: T | undefined, field: string, message: string): T {
  if (value === undefined) throw new InvalidRequestError(message, { field, problem: 'missing' });
  return value;
}

/** Whether a secret in a request stands for the stored one. */
const keptSecret = (secret: string | undefined) => secret === undefined || secret === '' || secret === MASKED_SECRET;

/** Changes without a secret that stands for the stored one. */
function toStorageChanges<T extends StorageChanges>(changes: T): T {
  const { secret_access_key: _, ...others } = changes;
  return withoutSlash(keptSecret(changes.secret_access_key) ? (others as T) : changes);
}

const withoutSlash = <T extends Pick<StorageChanges, 'public_url'>>(settings: T): T =>
  settings.public_url ? { ...settings, public_url: settings.public_url.replace(/\/+$/, '') } : settings;

/**
 * Tests a connection without saving it, and returns how many milliseconds that took.
 * @throws RequestError `storage_unreachable` with the reason
 */
export async function testConnection({ db, secrets }: Context, { policy_id, config }: ConnectionTest): Promise<number> {
  const startedAt = performance.now();
  if (policy_id === undefined) {
    const storage = storageOf({ name: '', driver: 's3', config });
    if (storage.driver === 's3') await testStorage(storage.config);
  } else {
    const { bucket: _bucket, prefix: _prefix, ...changes } = config;
    await changeStorage(await requirePolicy(db.read, policy_id), toStorageChanges(changes), await places(db.read, policy_id), secrets);
  }
  return Math.round(performance.now() - startedAt);
}

/** Changes a policy for new uploads, or how its bucket is reached. @throws RequestError when it can't be reached that way */
export async function changePolicy(
  context: Context,
  author: Author,
  id: number,
  requested: PolicyChanges,
  origin: AuditOrigin,
): Promise<void> {
  const { policies, db, secrets, links } = context;
  const { config: connection, ...changes } = requested;
  requireOtherOrigin(connection, links.address());
  return lock(context.config.dataDir, async () => {
    const policy = await requirePolicy(db.read, id);
    const config = connection && (await changeStorage(policy, toStorageChanges(connection), await places(db.read, id), secrets));
    await policies.write(author, async (queries) => {
      const latest = await requirePolicy(queries, id);
      if (config !== undefined) requireSame(latest.config, policy.config);
      if (Object.keys(requested).length === 0) return;
      await queries
        .updateTable('policies')
        .set({ ...toColumns(changes), ...(config !== undefined && { config }) })
        .where('id', '=', id)
        .execute();
      const { secret_access_key, ...shown } = connection ?? {};
      const details = {
        ...changes,
        ...(connection && { config: { ...shown, ...(secret_access_key && { secret_access_key: MASKED_SECRET }) } }),
      };
      await recordAudit(queries, origin, { action: 'policy.changed', target: policy.name, details });
    });
  });
}

/**
 * Deletes an unused policy; its folder or bucket stays.
 * @param forgetFiles leaves the files of deleted images in the storage, and works without it
 * @throws RequestError `conflict` that names what uses it; `unavailable` when files can't be removed
 */
export async function deletePolicy(context: Context, author: Author, id: number, forgetFiles: boolean, origin: AuditOrigin): Promise<void> {
  const { policies, blobs, db, log } = context;
  await requirePolicy(db.read, id);
  blobs.requireRemovals();
  const storage = await blobs.driverOf(id);
  const commit = () =>
    policies.write(author, async (queries) => {
      const policy = await requirePolicy(queries, id);
      const left = await unusedFiles(queries, id);
      if (forgetFiles) await queries.deleteFrom('blobs').where('policy_id', '=', id).where('unused_since', 'is not', null).execute();
      await requireUnused(queries, id);
      await queries.deleteFrom('policies').where('id', '=', id).execute();
      const details = left.files > 0 ? { forgotten_files: left.files, forgotten_bytes: left.bytes } : {};
      await recordAudit(queries, origin, { action: 'policy.deleted', target: policy.name, details });
      return left.files === 0;
    });
  if (!forgetFiles) await removeUnused(context, id);
  const isEmpty = await (forgetFiles ? blobs.forget(id, commit) : commit());
  if (isEmpty)
    await storage.release().catch((err: unknown) => log.warn({ err }, 'the place of a deleted storage policy couldn’t be freed'));
}

/** Removes the files of deleted images, which no longer count. */
async function removeUnused({ blobs, log }: Context, id: number) {
  try {
    await blobs.sweep({ only: id });
  } catch (cause) {
    if (!(cause instanceof RequestError)) log.error({ err: cause }, 'files of deleted pictures couldn’t be removed');
    const message =
      'The files of deleted pictures can’t be removed from this policy’s storage at the moment. Try again later, or leave them there (`forget_files`).';
    throw Object.assign(new RequestError('unavailable', message), { cause });
  }
}

/** The files of deleted images that are still to be removed. */
export async function unusedFiles(queries: Queries, id: number): Promise<Policy['unused']> {
  return queries
    .selectFrom('blobs')
    .select([sql<number>`count(*)`.as('files'), sql<number>`coalesce(sum(size), 0)`.as('bytes')])
    .where('policy_id', '=', id)
    .where('unused_since', 'is not', null)
    .executeTakeFirstOrThrow();
}

async function requireUnused(queries: Queries, id: number) {
  const groups = await queries.selectFrom('groups').select(['name', 'policy_ids']).execute();
  const users = groups.filter(({ policy_ids }) => readList<number>(policy_ids).includes(id)).map(({ name }) => name);
  if (users.length > 0)
    throw new RequestError('conflict', `These groups use this policy: ${users.join(', ')}. Remove it from them first.`, {
      problem: 'policy_in_use',
      subject: users.join(', '),
    });
  const image = await queries.selectFrom('images').select('id').where('policy_id', '=', id).limit(1).executeTakeFirst();
  const blobs = queries.selectFrom('blobs').select('sha256').where('policy_id', '=', id).limit(1);
  if (image || (await blobs.where('unused_since', 'is', null).executeTakeFirst()))
    throw new RequestError('conflict', 'This policy still stores pictures, possibly in the trash. Delete them permanently first.', {
      problem: 'policy_not_empty',
    });
  if (await blobs.executeTakeFirst())
    throw new RequestError(
      'unavailable',
      'Files of deleted pictures are still in this policy’s storage. With several servers on one database, they stay for 12 hours. Try again later, or leave them there (`forget_files`).',
    );
}

async function requirePolicy(queries: Queries, id: number): Promise<PolicyRow> {
  return requireFound(await policyById(queries, id), GONE);
}

/** Absent values stay undefined, which leaves a column unchanged or at its default. */
function toColumns({ keep_metadata, ...columns }: Omit<PolicyChanges, 'config'>) {
  return { ...columns, ...(keep_metadata !== undefined && { keep_metadata: keep_metadata ? (1 as const) : (0 as const) }) };
}

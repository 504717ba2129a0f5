import { realpath } from 'node:fs/promises';
import { sql } from 'kysely';
import type * as api from '#api/admin-policies.ts';
import type { RouteParsed } from '#api/contract.ts';
import type { Context } from '#server/core/context.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { policyById } from '#server/core/policies/policies.ts';
import { RequestError, requireFound } from '#server/platform/base/errors.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { readList } from '#server/platform/db/lists.ts';
import { keysetPage, OLDEST_FIRST, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import { folderOf } from '#server/platform/storage/local.ts';
import { preparePolicyFolder } from './folders.ts';

export type NewPolicy = RouteParsed<typeof api.createPolicy, 'body'>;
export type PolicyChanges = RouteParsed<typeof api.changePolicy, 'body'>;

export interface PolicyWithCount extends PolicyRow {
  image_count: number;
}

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
  quality: 85,
  heic_to: 'jpg',
  cache_seconds: 0,
} as const;

/** Creates a policy with its own folder and returns its id. @throws RequestError for a folder that can't be used */
export async function createPolicy({ db, config }: Context, wanted: NewPolicy, origin: AuditOrigin): Promise<number> {
  const { folder: path, name, ...processing } = wanted;
  const others = [await realpath(config.dataDir), ...(await usedFolders(db))];
  const folder = await preparePolicyFolder(path, others);
  return db.write(async (queries) => {
    const { id } = await queries
      .insertInto('policies')
      .values({ ...DEFAULTS, ...toColumns(processing), name, driver: 'local', config: JSON.stringify({ folder }), created_at: Date.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordAudit(queries, origin, { action: 'policy.created', target: name, details: { ...processing, folder } });
    return id;
  });
}

async function usedFolders(db: Database): Promise<string[]> {
  const policies = await db.read.selectFrom('policies').select('config').execute();
  return policies.map((policy) => folderOf(policy)).filter((folder) => folder !== undefined);
}

/** Changes a policy for new uploads. */
export async function changePolicy({ policies }: Context, id: number, changes: PolicyChanges, origin: AuditOrigin): Promise<void> {
  await policies.write(async (queries) => {
    const policy = await requirePolicy(queries, id);
    if (Object.keys(changes).length === 0) return;
    await queries.updateTable('policies').set(toColumns(changes)).where('id', '=', id).execute();
    await recordAudit(queries, origin, { action: 'policy.changed', target: policy.name, details: changes });
  });
}

/** Deletes an unused policy; its folder stays. @throws RequestError `conflict` that names what uses it */
export async function deletePolicy({ policies, blobs }: Context, id: number, origin: AuditOrigin): Promise<void> {
  await blobs.sweep(); // deleted images no longer count
  await policies.write(async (queries) => {
    const policy = await requirePolicy(queries, id);
    await requireUnused(queries, id);
    await queries.deleteFrom('policies').where('id', '=', id).execute();
    await recordAudit(queries, origin, { action: 'policy.deleted', target: policy.name });
  });
}

async function requireUnused(queries: Queries, id: number) {
  const groups = await queries.selectFrom('groups').select(['name', 'policy_ids']).execute();
  const users = groups.filter(({ policy_ids }) => readList<number>(policy_ids).includes(id)).map(({ name }) => name);
  if (users.length > 0) throw new RequestError('conflict', `These groups use this policy: ${users.join(', ')}. Remove it from them first.`);
  const image = await queries.selectFrom('images').select('id').where('policy_id', '=', id).limit(1).executeTakeFirst();
  const blob = await queries.selectFrom('blobs').select('sha256').where('policy_id', '=', id).limit(1).executeTakeFirst();
  if (image || blob)
    throw new RequestError('conflict', 'This policy still stores pictures, possibly in the trash. Delete them permanently first.');
}

async function requirePolicy(queries: Queries, id: number): Promise<PolicyRow> {
  return requireFound(await policyById(queries, id), GONE);
}

/** Absent values stay undefined, which leaves a column unchanged or at its default. */
function toColumns({ keep_metadata, ...columns }: PolicyChanges) {
  return { ...columns, ...(keep_metadata !== undefined && { keep_metadata: keep_metadata ? (1 as const) : (0 as const) }) };
}

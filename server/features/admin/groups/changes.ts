import { sql } from 'kysely';
import type * as api from '#api/admin/groups.ts';
import type { RouteParsed } from '#api/contract.ts';
import { isDrawing } from '#api/formats.ts';
import { type Group, groupOfKind, isForMembers, toGroup } from '#server/core/accounts/groups.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { formatDuration } from '#server/platform/base/durations.ts';
import { InvalidRequestError, RequestError, requireFound } from '#server/platform/base/errors.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { storeList } from '#server/platform/db/lists.ts';
import { keysetPage, OLDEST_FIRST, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { GroupRow } from '#server/platform/db/schema/accounts.ts';

export type GroupChanges = RouteParsed<typeof api.changeGroup, 'body'>;
export type NewGroup = RouteParsed<typeof api.createGroup, 'body'>;

export interface GroupWithCount extends GroupRow {
  user_count: number;
}

const GONE = 'This group no longer exists. Choose another one.';

const groupsWithCount = (queries: Queries) =>
  queries
    .selectFrom('groups')
    .selectAll()
    .select(sql<number>`(select count(*) from users where users.group_id = groups.id)`.as('user_count'));

/** All groups, oldest first. */
export function listGroups(db: Database, page: PageRequest): Promise<Page<GroupWithCount>> {
  return keysetPage(groupsWithCount(db.read), OLDEST_FIRST, page);
}

/** @throws NotFoundError */
export async function groupWithCount(db: Database, id: number): Promise<GroupWithCount> {
  return requireFound(await groupsWithCount(db.read).where('id', '=', id).executeTakeFirst(), GONE);
}

/** Creates a group from the default one and the given values, and returns its id. */
export function createGroup(db: WritableDatabase, requested: NewGroup, origin: AuditOrigin): Promise<number> {
  return db.write(async (queries) => {
    const { id: _id, ...likeDefault } = await groupOfKind(queries, 'default');
    const group = { ...likeDefault, listed: false, ...requested, kind: 'custom' as const, created_at: Date.now() };
    await requireConsistent(queries, group);
    const { id } = await queries
      .insertInto('groups')
      .values({
        ...group,
        allowed_exts: storeList(group.allowed_exts),
        policy_ids: storeList(group.policy_ids),
        delete_expired: toFlag(group.delete_expired),
        allow_convert: toFlag(group.allow_convert),
        listed: toFlag(group.listed),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordAudit(queries, origin, { action: 'group.created', target: group.name, details: requested });
    return id;
  });
}

/** Changes a group. @throws RequestError for limits that contradict each other */
export async function changeGroup(db: WritableDatabase, id: number, changes: GroupChanges, origin: AuditOrigin): Promise<void> {
  await db.write(async (queries) => {
    const group = await requireGroup(queries, id);
    await requireConsistent(queries, { ...group, ...changes });
    if (group.kind === 'guest') requireFitForGuests(changes);
    if (changes.listed && !isForMembers(group))
      throw new InvalidRequestError('The groups of guests and the owner can’t be listed.', { field: 'listed', problem: 'not_available' });
    if (Object.keys(changes).length === 0) return;
    // undefined leaves a column alone
    const { allowed_exts: exts, policy_ids: policies, delete_expired: deletes, allow_convert: converts, listed, ...columns } = changes;
    await queries
      .updateTable('groups')
      .set({
        ...columns,
        allowed_exts: exts && storeList(exts),
        policy_ids: policies && storeList(policies),
        delete_expired: deletes === undefined ? undefined : toFlag(deletes),
        allow_convert: converts === undefined ? undefined : toFlag(converts),
        listed: listed === undefined ? undefined : toFlag(listed),
      })
      .where('id', '=', id)
      .execute();
    await recordAudit(queries, origin, { action: 'group.changed', target: group.name, details: changes });
  });
}

/** Deletes a group. @throws RequestError `conflict` for a built-in one and for one with members */
export async function deleteGroup(db: WritableDatabase, id: number, origin: AuditOrigin): Promise<void> {
  await db.write(async (queries) => {
    const group = await requireGroup(queries, id);
    if (group.kind !== 'custom')
      throw new RequestError('conflict', 'This group is built in and can’t be deleted.', { problem: 'group_built_in' });
    const member = await queries.selectFrom('users').select('id').where('group_id', '=', id).limit(1).executeTakeFirst();
    if (member)
      throw new RequestError('conflict', 'This group has members. Move them to another group first.', { problem: 'group_not_empty' });
    await queries.deleteFrom('groups').where('id', '=', id).execute();
    await recordAudit(queries, origin, { action: 'group.deleted', target: group.name });
  });
}

const toFlag = (on: boolean) => (on ? (1 as const) : (0 as const));

async function requireGroup(queries: Queries, id: number): Promise<Group> {
  return toGroup(requireFound(await queries.selectFrom('groups').selectAll().where('id', '=', id).executeTakeFirst(), GONE));
}

type Limits = Pick<Group, 'policy_ids' | 'default_expires_in' | 'max_expires_in' | 'default_max_views' | 'max_max_views'>;

async function requireConsistent(queries: Queries, group: Limits): Promise<void> {
  requireWithin(group, 'default_expires_in', 'max_expires_in');
  requireWithin(group, 'default_max_views', 'max_max_views');
  const ids = [...new Set(group.policy_ids)];
  const known = await queries.selectFrom('policies').select('id').where('id', 'in', ids).execute();
  if (known.length < group.policy_ids.length)
    throw new InvalidRequestError('One of these storage policies doesn’t exist or is listed twice.', {
      field: 'policy_ids',
      problem: 'not_available',
    });
}

/** An SVG is a document that can show links and forms under this service's name: only for users who can be held responsible. */
function requireFitForGuests({ allowed_exts: exts }: GroupChanges): void {
  if (exts?.some(isDrawing))
    throw new InvalidRequestError('SVG can’t be allowed for guests. Allow it in a group with members.', { field: 'allowed_exts' });
}

/** A default over the limit would make every upload without its own value fail. */
function requireWithin(group: Limits, field: 'default_expires_in' | 'default_max_views', cap: 'max_expires_in' | 'max_max_views') {
  if (group[cap] > 0 && group[field] > group[cap])
    throw new InvalidRequestError(
      `The default can’t be higher than the maximum of ${cap === 'max_expires_in' ? formatDuration(group[cap]) : group[cap]}.`,
      { field, problem: 'default_over_maximum' },
    );
}

import { compileOnce } from '#server/platform/db/compile-once.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { readList } from '#server/platform/db/lists.ts';
import type { GroupRow } from '#server/platform/db/schema/accounts.ts';

/** A group with its lists and switches read. Those of a new installation: `platform/db/group-defaults.ts`. */
export interface Group extends Omit<GroupRow, 'allowed_exts' | 'policy_ids' | 'delete_expired' | 'allow_convert' | 'listed'> {
  allowed_exts: string[];
  policy_ids: number[];
  delete_expired: boolean;
  allow_convert: boolean;
  listed: boolean;
}

export function toGroup(row: GroupRow): Group {
  const { allowed_exts, policy_ids, delete_expired, allow_convert, listed } = row;
  const lists = { allowed_exts: readList<string>(allowed_exts), policy_ids: readList<number>(policy_ids) };
  return { ...row, ...lists, delete_expired: delete_expired === 1, allow_convert: allow_convert === 1, listed: listed === 1 };
}

export async function groupOfKind(queries: Queries, kind: 'owner' | 'default' | 'guest'): Promise<Group> {
  return only(await withKind(queries, { kind }));
}

export async function groupById(queries: Queries, id: number): Promise<Group> {
  return only(await withId(queries, { id }));
}

/** Whether a group can have members: guests have no account, and the owner's group is for the owner alone. */
export const isForMembers = ({ kind }: Pick<GroupRow, 'kind'>): boolean => kind === 'default' || kind === 'custom';

/** A group that can have members, by its id. */
export async function findGroupForMembers(queries: Queries, id: number): Promise<GroupRow | undefined> {
  const group = await queries.selectFrom('groups').selectAll().where('id', '=', id).executeTakeFirst();
  return group && isForMembers(group) ? group : undefined;
}

/** The group of an account. */
export async function groupOfUser(queries: Queries, userId: number): Promise<Group> {
  return only(await withMember(queries, { userId }));
}

const withKind = compileOnce((queries, { kind }: Pick<GroupRow, 'kind'>) =>
  queries.selectFrom('groups').selectAll().where('kind', '=', kind),
);
const withId = compileOnce((queries, { id }: Pick<GroupRow, 'id'>) => queries.selectFrom('groups').selectAll().where('id', '=', id));

const withMember = compileOnce((queries, { userId }: { userId: number }) =>
  queries.selectFrom('groups').innerJoin('users', 'users.group_id', 'groups.id').selectAll('groups').where('users.id', '=', userId),
);

function only({ rows: [row] }: { rows: GroupRow[] }): Group {
  if (!row) throw new Error('there is no such group');
  return toGroup(row);
}

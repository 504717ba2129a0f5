import type { Queries } from '#server/platform/db/database.ts';
import { readList } from '#server/platform/db/lists.ts';
import type { GroupRow } from '#server/platform/db/schema/accounts.ts';

/** A group with its lists read. */
export interface Group extends Omit<GroupRow, 'allowed_exts' | 'policy_ids'> {
  allowed_exts: string[];
  policy_ids: number[];
}

export function toGroup(row: GroupRow): Group {
  return { ...row, allowed_exts: readList(row.allowed_exts), policy_ids: readList(row.policy_ids) };
}

export async function groupOfKind(queries: Queries, kind: 'owner' | 'default' | 'guest'): Promise<Group> {
  return toGroup(await queries.selectFrom('groups').selectAll().where('kind', '=', kind).executeTakeFirstOrThrow());
}

export async function groupById(queries: Queries, id: number): Promise<Group> {
  return toGroup(await queries.selectFrom('groups').selectAll().where('id', '=', id).executeTakeFirstOrThrow());
}

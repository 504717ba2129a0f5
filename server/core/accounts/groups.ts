import type { Generated, Selectable } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';

/** What the members of a group may upload; 0 means unlimited throughout. */
export interface GroupsTable {
  id: Generated<number>;
  kind: 'owner' | 'default' | 'guest' | 'custom';
  name: string;
  max_file_bytes: number;
  storage_quota_bytes: number;
  /** JSON array of extensions. */
  allowed_exts: string;
  uploads_per_minute: number;
  uploads_per_hour: number;
  uploads_per_day: number;
  default_expires_in: number;
  max_expires_in: number;
  default_max_views: number;
  max_max_views: number;
  /** JSON array of storage policies; the first is the default. */
  policy_ids: string;
  created_at: number;
}
export type GroupRow = Selectable<GroupsTable>;

/** A group with its lists read. */
export interface Group extends Omit<GroupRow, 'allowed_exts' | 'policy_ids'> {
  allowed_exts: string[];
  policy_ids: number[];
}

export function toGroup(row: GroupRow): Group {
  return { ...row, allowed_exts: JSON.parse(row.allowed_exts), policy_ids: JSON.parse(row.policy_ids) };
}

export async function groupOfKind(queries: Queries, kind: 'owner' | 'default' | 'guest'): Promise<Group> {
  return toGroup(await queries.selectFrom('groups').selectAll().where('kind', '=', kind).executeTakeFirstOrThrow());
}

export async function groupById(queries: Queries, id: number): Promise<Group> {
  return toGroup(await queries.selectFrom('groups').selectAll().where('id', '=', id).executeTakeFirstOrThrow());
}

import type { Queries } from '#server/platform/db/database.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';

export function policyById(queries: Queries, id: number): Promise<PolicyRow | undefined> {
  return queries.selectFrom('policies').selectAll().where('id', '=', id).executeTakeFirst();
}

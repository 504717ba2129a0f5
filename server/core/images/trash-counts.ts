import type { Queries } from '#server/platform/db/database.ts';

/** Pictures that are in a trash and can be restored, for counting: their indices hold what that takes. */
export const inTrash = (queries: Queries) =>
  queries
    .selectFrom('images')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('deleted_at', 'is not', null)
    .where('emptied_at', 'is', null);

/** How many pictures are in a user's trash. */
export async function countTrash(queries: Queries, ownerId: number): Promise<number> {
  return (await inTrash(queries).where('owner_id', '=', ownerId).executeTakeFirstOrThrow()).count;
}

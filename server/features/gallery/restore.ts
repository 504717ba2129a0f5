import type { BatchResult } from '#api/images/changes.ts';
import { groupById } from '#server/core/accounts/groups.ts';
import { type AskedExpiry, expiryOf, requireExpiryWithin } from '#server/core/images/asked-expiry.ts';
import { isExpired } from '#server/core/images/images.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

/** Images of a user that one action changes. */
export interface OwnRows {
  ownerId: number;
  rows: readonly ImageRow[];
  now: number;
}

/** The new expiry of expired images; absent: none, or the group's default where it has a limit. */
interface Restoring extends AskedExpiry {
  /** Refuse expired images. */
  expiredStay?: boolean | undefined;
  /** Also restore images that their senders removed. */
  include_removed?: boolean | undefined;
}

/**
 * Takes a user's images out of the trash, and returns why each one wasn't, if it wasn't. Expired ones get a new expiry, or none; all others
 * keep theirs.
 * @throws RequestError `expires_over_group`
 */
export async function restoreImages(
  queries: Queries,
  { ownerId, rows, now }: OwnRows,
  { expiredStay, include_removed, ...asked }: Restoring,
): Promise<Map<string, BatchResult['code']>> {
  const trashed = rows.filter(({ deleted_at }) => deleted_at !== null);
  const refusalOf = (row: ImageRow) => {
    if (row.trash_reason === 'removed' && !include_removed) return 'removed_by_sender';
    return row.emptied_at !== null || (expiredStay === true && isExpired(row, now)) ? 'expired' : undefined;
  };
  const restored = trashed.filter((row) => refusalOf(row) === undefined);
  const expired = restored.filter((row) => isExpired(row, now));
  const others = restored.filter((row) => !isExpired(row, now));
  const expires_at = expired.length > 0 ? await newExpiry(queries, ownerId, asked, now) : null;
  await takeOut(queries, expired, { updated_at: now, expires_at });
  await takeOut(queries, others, { updated_at: now });
  return new Map(trashed.map((row) => [row.key, refusalOf(row)]));
}

async function takeOut(queries: Queries, rows: readonly ImageRow[], columns: { updated_at: number; expires_at?: number | null }) {
  if (rows.length === 0) return;
  tellImages(queries, 'image.changed', rows);
  await queries
    .updateTable('images')
    .set({ ...columns, deleted_at: null, trash_reason: null, trash_batch: null })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
}

/** Like an upload that names no expiry, a restored image gets what its owner's group asks for (decision 006). */
async function newExpiry(queries: Queries, ownerId: number, asked: AskedExpiry, now: number): Promise<number | null> {
  const { group_id } = await queries.selectFrom('users').select('group_id').where('id', '=', ownerId).executeTakeFirstOrThrow();
  const group = await groupById(queries, group_id);
  requireExpiryWithin(group, asked, now);
  const cap = group.max_expires_in;
  const usual = cap > 0 ? now + (group.default_expires_in || cap) * 1000 : null;
  return expiryOf(asked, now) ?? usual;
}

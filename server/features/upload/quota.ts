import type { Group } from '#server/core/accounts/groups.ts';
import { guestUsage } from '#server/core/images/images.ts';
import { RequestError, UnauthorizedError } from '#server/platform/base/errors.ts';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

/**
 * Charges the size in the same commit as the image, so that parallel uploads cannot exceed the quota together.
 * @throws UnauthorizedError when the account was disabled or deleted during the upload, RequestError `quota_exceeded`
 */
export async function takeQuota(queries: Queries, user: UserRow, group: Group, size: number) {
  const quota = group.storage_quota_bytes;
  const { numAffectedRows } = await charge(queries, { id: user.id, size, used: quota > 0 ? quota - size : Number.MAX_SAFE_INTEGER });
  if (numAffectedRows !== 0n) return;
  await requireEnabled(queries, user.id);
  throw new RequestError(
    'quota_exceeded',
    'Your storage is full. Delete pictures and empty the trash, or ask an administrator for more space.',
    {
      max_bytes: quota,
    },
  );
}

/** Charges `size` to an enabled account that uses at most `used` bytes. */
const charge = compileOnce((queries, { id, size, used }: { id: number; size: number; used: number }) =>
  queries
    .updateTable('users')
    .set((row) => ({ storage_used_bytes: row('storage_used_bytes', '+', size), image_count: row('image_count', '+', 1) }))
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .where('storage_used_bytes', '<=', used),
);

async function requireEnabled(queries: Queries, id: number) {
  const user = await queries.selectFrom('users').select('disabled_at').where('id', '=', id).executeTakeFirst();
  if (user?.disabled_at !== null) throw new UnauthorizedError('This account no longer exists or has been disabled.');
}

/**
 * Guests have no account to charge: their total is summed up, and only where there is a limit.
 * @throws RequestError `quota_exceeded` when `size` more bytes don't fit
 */
export async function requireGuestQuota(queries: Queries, { storage_quota_bytes: quota }: Group, size: number) {
  if (quota === 0 || (await guestUsage(queries)).bytes + size <= quota) return;
  throw new RequestError('quota_exceeded', 'The storage for guests is full. Try again later, or sign in to upload.', {
    max_bytes: quota,
    guests: true,
  });
}

import type { Queries } from '#server/platform/db/database.ts';
import { hasTwoFactor, removeTwoFactor } from './two-factor.ts';

/** Whether an account has a passkey. */
export async function hasPasskey(queries: Queries, userId: number): Promise<boolean> {
  return (await queries.selectFrom('passkeys').select('id').where('user_id', '=', userId).limit(1).executeTakeFirst()) !== undefined;
}

/** Whether any account has one. */
export async function anyPasskeyExists(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('passkeys').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Whether an account has any second factor: one that the password alone must not replace. */
export async function hasSecondFactor(queries: Queries, userId: number): Promise<boolean> {
  return (await hasTwoFactor(queries, userId)) || (await hasPasskey(queries, userId));
}

/** Turns off an account's codes and removes its passkeys; false when there was nothing. */
export async function resetSecondFactors(queries: Queries, userId: number): Promise<boolean> {
  const { numDeletedRows } = await queries.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst();
  return (await removeTwoFactor(queries, userId)) || numDeletedRows > 0n;
}

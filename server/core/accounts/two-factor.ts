import { newReadableCode, normalCode } from '#server/platform/base/readable-code.ts';
import { hashSecret } from '#server/platform/base/secret-text.ts';
import { seal, unseal } from '#server/platform/config/sealing.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import { totpStep } from './totp.ts';

// The second factor of accounts (decision 080): codes of an authenticator app, and recovery codes.

const PURPOSE = 'two-factor';
const RECOVERY_CODES = 10;
/** 79 bits: as a random secret, it needs no slow hash. */
const RECOVERY_CODE_GROUPS = 4;

/** Whether an account must give a second factor before signing in with its password. */
export async function hasTwoFactor(queries: Queries, userId: number): Promise<boolean> {
  return (await findTwoFactor(queries, userId)) !== undefined;
}

/** Whether the site requires a second factor of an account. */
export function mustHaveTwoFactor(required: 'nobody' | 'admins' | 'everyone', { role }: Pick<UserRow, 'role'>): boolean {
  return required === 'everyone' || (required === 'admins' && role === 'admin');
}

export async function twoFactorOf(queries: Queries, userId: number): Promise<{ enabledAt: number | null; recoveryCodesLeft: number }> {
  const found = await findTwoFactor(queries, userId);
  return { enabledAt: found?.enabled_at ?? null, recoveryCodesLeft: await countRecoveryCodes(queries, userId) };
}

/**
 * Turns the second factor on, or replaces it, and returns new recovery codes.
 * @param step the time step of the code that has proved the secret, which isn't accepted again
 */
export async function enableTwoFactor(
  queries: Queries,
  secrets: Secrets,
  userId: number,
  { secret, step }: { secret: string; step: number },
): Promise<string[]> {
  const row = { sealed_secret: seal(secrets.key(PURPOSE), secret), last_step: step, enabled_at: Date.now() };
  await queries
    .insertInto('two_factor')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
  return renewRecoveryCodes(queries, userId);
}

/** Turns the second factor off; false when it already was. */
export async function removeTwoFactor(queries: Queries, userId: number): Promise<boolean> {
  await queries.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const { numDeletedRows } = await queries.deleteFrom('two_factor').where('user_id', '=', userId).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Replaces an account's recovery codes. Only their hashes are stored. */
export async function renewRecoveryCodes(queries: Queries, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newReadableCode(RECOVERY_CODE_GROUPS));
  await queries.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const rows = codes.map((code) => ({ user_id: userId, code_hash: hashSecret(normalCode(code)) }));
  await queries.insertInto('recovery_codes').values(rows).execute();
  return codes;
}

/** How a second step was completed. */
export type SecondFactor = 'code' | 'recovery_code';

interface TypedCode {
  userId: number;
  typed: string;
  now: number;
}

/**
 * Checks a typed code and spends it: neither a code of the app nor a recovery code is accepted twice. Call it in a unit of writing, so
 * that of parallel attempts with the same code only one succeeds.
 */
export async function spendCode(queries: Queries, secrets: Secrets, { userId, typed, now }: TypedCode): Promise<SecondFactor | undefined> {
  const code = normalCode(typed);
  if (/^\d{6}$/.test(code)) return (await spendAppCode(queries, secrets, { userId, typed: code, now })) ? 'code' : undefined;
  const { numDeletedRows } = await queries
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashSecret(code))
    .executeTakeFirst();
  return numDeletedRows > 0n ? 'recovery_code' : undefined;
}

async function spendAppCode(queries: Queries, secrets: Secrets, { userId, typed, now }: TypedCode): Promise<boolean> {
  const found = await findTwoFactor(queries, userId);
  const secret = found && unseal(secrets.key(PURPOSE), found.sealed_secret);
  const step = secret && totpStep(secret, typed, now);
  if (!step || step <= found.last_step) return false;
  await queries.updateTable('two_factor').set({ last_step: step }).where('user_id', '=', userId).execute();
  return true;
}

function findTwoFactor(queries: Queries, userId: number) {
  return queries.selectFrom('two_factor').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

async function countRecoveryCodes(queries: Queries, userId: number): Promise<number> {
  const { left } = await queries
    .selectFrom('recovery_codes')
    .select((row) => row.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return left;
}

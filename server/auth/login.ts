import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../db/database.ts';
import { RequestError, UnauthorizedError } from '../http/errors.ts';
import { verifyPassword } from './passwords.ts';
import { findUserByLogin, toKey, type UserRow } from './users.ts';

/** Counts failed sign-ins. Only failures count, per account and per address. */
export interface LoginLimits {
  check(login: string, address: string): Promise<void>;
  fail(login: string, address: string): Promise<void>;
  succeed(login: string, address: string): Promise<void>;
}

const WINDOW_SECONDS = 300;

/** 10 failures per account and address, 30 per address and 100 per account in 5 minutes. */
export function createLoginLimits(): LoginLimits {
  const limiter = (points: number, keyPrefix: string) => new RateLimiterMemory({ points, duration: WINDOW_SECONDS, keyPrefix });
  const pair = limiter(10, 'pair');
  const byAddress = limiter(30, 'address');
  const byAccount = limiter(100, 'account');
  const entries = (login: string, address: string) =>
    [
      [pair, `${toKey(login)} ${address}`],
      [byAddress, address],
      [byAccount, toKey(login)],
    ] as const;
  return {
    async check(login, address) {
      for (const [limit, key] of entries(login, address)) {
        const state = await limit.get(key);
        if (state && state.consumedPoints >= limit.points) throw tooManyTries(state);
      }
    },
    async fail(login, address) {
      for (const [limit, key] of entries(login, address)) await limit.penalty(key);
    },
    async succeed(login, address) {
      await pair.delete(`${toKey(login)} ${address}`);
    },
  };
}

function tooManyTries(state: RateLimiterRes) {
  const retry_after = Math.ceil(state.msBeforeNext / 1000);
  return new RequestError('rate_limited', `Too many failed tries. Wait ${retry_after} seconds and try again.`, { retry_after });
}

/**
 * Checks name (or e-mail) and password.
 * @throws UnauthorizedError with the same words, after the same time, for an unknown account and a wrong password
 */
export async function logIn(
  db: Database,
  limits: LoginLimits,
  { login, password, address }: { login: string; password: string; address: string },
): Promise<UserRow> {
  await limits.check(login, address);
  const user = await findUserByLogin(db.read, login);
  const right = await verifyPassword(user?.password_hash, password);
  if (user && right && user.disabled_at === null) {
    await limits.succeed(login, address);
    return user;
  }
  await limits.fail(login, address);
  throw new UnauthorizedError('User name or password is wrong.');
}

import { createRequire } from 'node:module';
import type * as argon2 from '@node-rs/argon2';
import { expect, it } from 'vitest';
import { createPasswordGuard } from '#server/core/accounts/password-guard.ts';
import { hashPassword, UNMATCHABLE, verifyPassword } from '#server/core/accounts/passwords.ts';
import { hashing, strangersTurn } from '#server/platform/admission/hashing.ts';
import { volatileLimits, watchedLimits } from '#test/helpers/service/limits.ts';

const codeOf = (attempt: Promise<boolean>) => attempt.then(String, (error: { code?: string; name: string }) => error.code ?? error.name);

it('counts exactly when many networks guess one login at once', async () => {
  const guard = createPasswordGuard(volatileLimits());
  let checked = 0;
  const guesses = Array.from({ length: 80 }, (_, index) =>
    codeOf(
      guard.check({ login: 'ada', address: `192.0.2.${index}` }, async () => {
        checked++;
        await new Promise(setImmediate);
        return false;
      }),
    ),
  );
  const results = await Promise.all(guesses);
  expect([checked, results.filter((result) => result === 'rate_limited').length]).toEqual([50, 30]);
});

it('forgets no guesses at a login for those at others', async () => {
  const { limits, counted } = watchedLimits();
  await createPasswordGuard(limits).check({ login: 'ada', address: '192.0.2.1' }, async () => false);
  expect(counted).toEqual([
    ['ada 192.0.2.1', false],
    ['192.0.2.1', false],
    ['ada', true],
  ]);
});

it('checks nothing for callers who left while they waited', async () => {
  const guard = createPasswordGuard(volatileLimits());
  const left = new AbortController();
  let checked = 0;
  const verify = async () => {
    checked++;
    await new Promise(setImmediate);
    return false;
  };
  const first = guard.check({ login: 'ada', address: '192.0.2.1' }, verify);
  const gone = codeOf(guard.check({ login: 'ada', address: '192.0.2.1', signal: left.signal }, verify));
  left.abort();
  expect([await first, await gone, checked]).toEqual([false, 'CallerGoneError', 1]);
});

it('hashes for all devices of a user in one turn', async () => {
  const guard = createPasswordGuard(volatileLimits());
  const turns: string[] = [];
  for (const device of ['device a', 'device b', 'session 1'])
    await guard.check({ login: 'ada', address: '192.0.2.1', known: { userId: 7, device } }, async ({ who }) => {
      turns.push(who);
      return true;
    });
  expect(turns).toEqual(['user 7', 'user 7', 'user 7']);
});

it('computes at most two hashes at once, those of users first', async () => {
  const hash = await hashPassword('right');
  const order: string[] = [];
  const running: number[] = [];
  const check = async (name: string, turn = strangersTurn(name)) => {
    await verifyPassword(hash, 'wrong', turn);
    order.push(name);
    running.push(hashing.counts().running);
  };
  const strangers = Array.from({ length: 6 }, (_, index) => check(`192.0.2.${index}`));
  await Promise.all([...strangers, hashPassword('new').then(() => order.push('user'))]);
  expect(Math.max(...running)).toBeLessThanOrEqual(2);
  // Those that ran already when it came are the only ones before it.
  expect(order.indexOf('user')).toBeLessThanOrEqual(3);
});

// Unit tests import one with less work by that name.
const { hash }: typeof argon2 = createRequire(import.meta.url)('@node-rs/argon2');

/** What decides how long a comparison takes: algorithm, parameters, and the lengths of salt and hash. */
const costOf = (stored: string) => stored.split('$').map((part, index) => (index < 4 ? part : part.length));

it('the password of an unknown account takes as long to compare as a stored one', async () => {
  expect(costOf(UNMATCHABLE)).toEqual(costOf(await hash('a password')));
  expect(await verifyPassword(null, 'a password')).toBe(false);
});

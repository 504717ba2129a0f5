import { describe, expect, it } from 'vitest';
import { ApiError, NetworkError } from '#api/client.ts';
import { type Clock, Gate, withRetries } from '#cli/retry.ts';

/** A clock that moves only during sleeps. */
function testClock(chance = 0) {
  const slept: number[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
    random: () => chance,
  };
  return { clock, slept };
}

const rateLimited = (retry_after: number) => new ApiError(429, 'no', { code: 'rate_limited', retry_after });

/** Fails with each error in turn, then succeeds. */
function failing(errors: unknown[]) {
  let attempts = 0;
  const attempt = async () => {
    const error = errors[attempts++];
    if (error) throw error;
    return 'done';
  };
  return { attempt, attempts: () => attempts };
}

function retrying(clock: Clock) {
  return { limits: { retries: 5, maxWait: 60 }, clock, gate: new Gate(clock) };
}

describe('retries', () => {
  it('sleep between attempts, with delays randomly shortened by up to half', async () => {
    const { clock, slept } = testClock(0.999);
    const work = failing([new NetworkError('gone'), new NetworkError('gone')]);
    await expect(withRetries(work.attempt, retrying(clock))).resolves.toBe('done');
    expect(work.attempts()).toBe(3);
    expect(slept.map(Math.round)).toEqual([125, 250]);
  });

  it('wait exactly as long as the server asks', async () => {
    const { clock, slept } = testClock();
    const work = failing(Array.from({ length: 8 }, () => rateLimited(7)));
    await expect(withRetries(work.attempt, retrying(clock))).resolves.toBe('done');
    expect(slept).toEqual(Array.from({ length: 8 }, () => 7000));
  });

  it('fail at once when the server asks for a longer wait than allowed', async () => {
    const { clock, slept } = testClock();
    const error = rateLimited(3600);
    await expect(withRetries(failing([error]).attempt, retrying(clock))).rejects.toBe(error);
    expect(slept).toEqual([]);
  });

  it('hold back the other uploads to a server that asks one of them to wait', async () => {
    const { clock, slept } = testClock();
    const shared = retrying(clock);
    shared.gate.closeFor(5000);
    await withRetries(failing([]).attempt, shared);
    expect(slept).toEqual([5000]);
  });

  it('continue with a new key once the server wants one, and ask for no other', async () => {
    const { clock } = testClock();
    const refusal = new ApiError(409, 'no', { code: 'idempotency_conflict', retry: 'new_key' });
    const keys: (string | undefined)[] = [];
    const errors = [refusal, new NetworkError('gone'), undefined];
    const attempt = async (newKey?: string) => {
      keys.push(newKey);
      const error = errors[keys.length - 1];
      if (error) throw error;
    };
    await withRetries(attempt, retrying(clock));
    expect(keys).toEqual([undefined, expect.any(String), keys[1]]);
    await expect(withRetries(() => Promise.reject(refusal), retrying(clock))).rejects.toBe(refusal);
  });

  it.each(['deleted', 'replaced'] as const)('don’t bring back a picture that was %s meanwhile', async (code) => {
    const refusal = new ApiError(410, 'no', { code, retry: 'new_key' });
    const work = failing([refusal]);
    await expect(withRetries(work.attempt, retrying(testClock().clock))).rejects.toBe(refusal);
    expect(work.attempts()).toBe(1);
  });

  it('stop when interrupted', async () => {
    const { clock } = testClock();
    const controller = new AbortController();
    const work = failing([new NetworkError('gone'), new NetworkError('gone')]);
    const onWait = () => controller.abort(new Error('stopped'));
    await expect(withRetries(work.attempt, { ...retrying(clock), signal: controller.signal, onWait })).rejects.toThrow('stopped');
    expect(work.attempts()).toBe(1);
  });
});

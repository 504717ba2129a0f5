import { describe, expect, it } from 'vitest';
import { ApiError, NetworkError } from '#api/client.ts';
import type { ErrorCode } from '#api/errors.ts';
import { type Clock, Gate, withRetries } from '#cli/retry.ts';

/** A clock that only moves while somebody sleeps. */
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

const refusal = (status: number, code: ErrorCode, retryAfter?: number) =>
  new ApiError(status, 'no', { code, ...(retryAfter !== undefined && { retry_after: retryAfter }) });

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

function retrying(clock: Clock, retries = 5, patience = 60) {
  return { policy: { retries, patience }, clock, gate: new Gate(clock) };
}

describe('retries', () => {
  it.each([
    ['a network fault', new NetworkError('gone')],
    ['500', refusal(500, 'internal')],
    ['503', refusal(503, 'unavailable')],
    ['507', refusal(507, 'storage_full')],
    ['429 without a time', refusal(429, 'rate_limited')],
    ["a proxy's 502", new NetworkError('not Pixdock', { status: 502 })],
  ])('repeat after %s', async (_, error) => {
    const { clock } = testClock();
    const work = failing([error, error]);
    await expect(withRetries(work.attempt, retrying(clock))).resolves.toBe('done');
    expect(work.attempts()).toBe(3);
  });

  it.each([
    ['401', refusal(401, 'unauthorized')],
    ['403', refusal(403, 'forbidden')],
    ['413', refusal(413, 'file_too_large')],
    ['415', refusal(415, 'ext_not_allowed')],
    ["a proxy's 413", new NetworkError('not Pixdock', { status: 413 })],
    ['an answer of another program', new NetworkError('not Pixdock', { status: 200 })],
    ['an invalid certificate', new NetworkError('no', { cause: Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' }) })],
    ['an error of our own', new TypeError('oops')],
  ])('do not repeat after %s', async (_, error) => {
    const { clock, slept } = testClock();
    const work = failing([error]);
    await expect(withRetries(work.attempt, retrying(clock))).rejects.toBe(error);
    expect(work.attempts()).toBe(1);
    expect(slept).toEqual([]);
  });

  it('grow their delays, up to a bound, and end', async () => {
    const { clock, slept } = testClock();
    const errors = Array.from({ length: 20 }, () => new NetworkError('gone'));
    const work = failing(errors);
    await expect(withRetries(work.attempt, retrying(clock, 10))).rejects.toBe(errors[10]);
    expect(slept).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('are spread by chance over half of the delay', async () => {
    const { clock, slept } = testClock(0.999);
    await withRetries(failing([new NetworkError('gone')]).attempt, retrying(clock));
    expect(slept[0]).toBeGreaterThanOrEqual(100);
    expect(slept[0]).toBeLessThan(101);
  });

  it('wait exactly as long as the server asks, and that does not use them up', async () => {
    const { clock, slept } = testClock();
    const work = failing(Array.from({ length: 8 }, () => refusal(429, 'rate_limited', 7)));
    await expect(withRetries(work.attempt, retrying(clock, 2))).resolves.toBe('done');
    expect(slept).toEqual(Array.from({ length: 8 }, () => 7000));
  });

  it('fail at once when the server asks for more patience than there is', async () => {
    const { clock, slept } = testClock();
    const error = refusal(429, 'rate_limited', 3600);
    await expect(withRetries(failing([error]).attempt, retrying(clock))).rejects.toBe(error);
    expect(slept).toEqual([]);
  });

  it('end when a server asks for patience for ever', async () => {
    const { clock } = testClock();
    const work = failing(Array.from({ length: 1000 }, () => refusal(429, 'rate_limited', 0)));
    await expect(withRetries(work.attempt, retrying(clock))).rejects.toThrow('no');
    expect(work.attempts()).toBeLessThan(50);
  });

  it('hold back the other uploads to a server that asks for patience', async () => {
    const { clock, slept } = testClock();
    const shared = retrying(clock);
    shared.gate.closeFor(5000);
    await withRetries(failing([]).attempt, shared);
    expect(slept).toEqual([5000]);
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

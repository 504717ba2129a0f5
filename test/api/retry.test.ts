import { describe, expect, test } from 'vitest';
import { ApiError, NetworkError } from '#api/client.ts';
import type { ErrorCode } from '#api/errors.ts';
import { type Pause, type RetryLimits, withRetries } from '#api/retry.ts';

const refusal = (status: number, code: ErrorCode, retry_after?: number) =>
  new ApiError(status, 'refused', { code, ...(retry_after !== undefined && { retry_after }) });
const unreachable = new NetworkError('Could not reach the service');
const proxy = (status: number, retryAfter?: number) => new NetworkError('not Pixdock', { status, retryAfter });

/** An attempt that fails with each error in turn, then succeeds. */
async function attempt(errors: readonly unknown[], limits: Partial<RetryLimits> = {}) {
  const pauses: Pause[] = [];
  let attempts = 0;
  const action = async () => {
    const error = errors[attempts++];
    if (error) throw error;
    return 'done';
  };
  const wait = async (pause: Pause) => pauses.push(pause);
  const outcome = await withRetries(action, { maxWait: 60, random: () => 0, ...limits }, wait).catch((error: unknown) => error);
  return { outcome, attempts, seconds: pauses.map(({ seconds }) => seconds), requested: pauses.map(({ requested }) => requested) };
}

describe('a failed request', () => {
  test.each([
    ['a network failure', unreachable],
    ['429 without a time', refusal(429, 'rate_limited')],
    ['503', refusal(503, 'unavailable')],
    ["a proxy's 502", proxy(502)],
  ])('is repeated after %s', async (_, error) => {
    expect(await attempt([error, error])).toMatchObject({ outcome: 'done', attempts: 3, requested: [false, false] });
  });

  test.each([
    ['a permanent failure', refusal(400, 'damaged_image')],
    ['a full disk', refusal(507, 'storage_full', 30)],
    ['a key that can’t be used again', refusal(409, 'idempotency_conflict')],
    ['a bug', new TypeError('oops')],
  ])('is not repeated after %s', async (_, error) => {
    expect(await attempt([error])).toEqual({ outcome: error, attempts: 1, seconds: [], requested: [] });
  });
});

describe('the delays', () => {
  test('double up to 30 s, then the last error is thrown', async () => {
    const errors = Array.from({ length: 20 }, () => new NetworkError('gone'));
    const { outcome, seconds } = await attempt(errors, { retries: 10 });
    expect(outcome).toBe(errors[10]);
    expect(seconds).toEqual([0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, 30]);
  });

  test('span 4 to 8 seconds by default', async () => {
    const errors = Array.from({ length: 20 }, () => unreachable);
    const sum = (values: number[]) => values.reduce((total, value) => total + value);
    expect(sum((await attempt(errors)).seconds)).toBe(7.75);
    expect(sum((await attempt(errors, { random: () => 0.999 })).seconds)).toBeGreaterThan(3.875);
  });

  test('are shortened by chance, by at most half', async () => {
    const [seconds = 0] = (await attempt([unreachable], { random: () => 0.999 })).seconds;
    expect(seconds).toBeGreaterThanOrEqual(0.125);
    expect(seconds).toBeLessThan(0.126);
  });
});

describe('a requested wait', () => {
  test.each([
    ['Pixdock', refusal(429, 'rate_limited', 7)],
    ['Pixdock, which is starting,', refusal(503, 'unavailable', 7)],
    ['a proxy', proxy(429, 7)],
  ])('of %s is kept exactly and uses up no retries', async (_, error) => {
    const result = await attempt(
      Array.from({ length: 8 }, () => error),
      { retries: 2 },
    );
    expect(result).toMatchObject({ outcome: 'done', attempts: 9 });
    expect(result.seconds).toEqual(Array.from({ length: 8 }, () => 7));
    expect(result.requested).toEqual(Array.from({ length: 8 }, () => true));
  });

  test('over the limit fails at once', async () => {
    const error = refusal(429, 'rate_limited', 61);
    expect(await attempt([error])).toEqual({ outcome: error, attempts: 1, seconds: [], requested: [] });
    expect(await attempt([refusal(429, 'rate_limited', 60)])).toMatchObject({ outcome: 'done', seconds: [60] });
  });

  test('of no time is still a short one, and does not repeat forever', async () => {
    const { outcome, attempts, seconds } = await attempt(Array.from({ length: 1000 }, () => refusal(429, 'rate_limited', 0)));
    expect(outcome).toBeInstanceOf(ApiError);
    expect(attempts).toBe(31);
    expect(seconds[0]).toBe(0.25);
  });
});

describe('a batch', () => {
  const limited = refusal(429, 'rate_limited', 60);

  /** Sends files side by side to a service that accepts, or refuses with `refused`, only the last of them after each wait. */
  async function sendAll(files: number, refused?: unknown) {
    const batch = { settled: 0 };
    const open = new Set(Array.from({ length: files }, (_, file) => file));
    let round = Promise.withResolvers<void>();
    let waiting = 0;
    const wait = async () => {
      const { promise } = round;
      if (++waiting === open.size) {
        waiting = 0;
        round.resolve();
        round = Promise.withResolvers();
      }
      await promise;
    };
    const send = (file: number) => {
      let attempts = 0;
      const attempt = async () => {
        if (++attempts === 1 || file !== Math.max(...open)) throw limited;
        open.delete(file);
        if (refused) throw refused;
      };
      return withRetries(attempt, { maxWait: 60, batch }, wait);
    };
    return Promise.allSettled(Array.from({ length: files }, (_, file) => send(file)));
  }

  test('waits as often as the service asks, while it accepts one request after the other', async () => {
    expect((await sendAll(40)).filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  test('waits while the service refuses one request after the other', async () => {
    const refused = refusal(415, 'ext_not_allowed');
    expect(await sendAll(40, refused)).toEqual(Array.from({ length: 40 }, () => ({ status: 'rejected', reason: refused })));
  });

  test('ends at a service that only asks it to wait', async () => {
    const errors = Array.from({ length: 1000 }, () => limited);
    expect((await attempt(errors, { batch: { settled: 5 } })).attempts).toBe(31);
  });
});

test('a wait that rejects ends the retries', async () => {
  const stopped = new Error('stopped');
  await expect(
    withRetries(
      () => Promise.reject(unreachable),
      { maxWait: 60 },
      () => Promise.reject(stopped),
    ),
  ).rejects.toBe(stopped);
});

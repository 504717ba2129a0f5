import { describe, expect, test } from 'vitest';
import { ApiError, NetworkError, RedirectError } from '#api/client.ts';
import type { ErrorCode } from '#api/errors.ts';
import { type Pause, type RetryLimits, withRetries } from '#api/retry.ts';

const refusal = (status: number, code: ErrorCode, retry_after?: number) =>
  new ApiError(status, 'refused', { code, ...(retry_after !== undefined && { retry_after }) });
const unreachable = new NetworkError('Could not reach the service');
const proxy = (status: number, retryAfter?: number) => new NetworkError('not Pixdock', { status, retryAfter });
const caused = (code: string) => new NetworkError('no', { cause: Object.assign(new Error('no'), { code }) });

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
    ['a reset connection', caused('ECONNRESET')],
    ['429 without a time', refusal(429, 'rate_limited')],
    ['500', refusal(500, 'internal')],
    ['503', refusal(503, 'unavailable')],
    ["a proxy's 429", proxy(429)],
    ["a proxy's 502", proxy(502)],
    ["a proxy's 507", proxy(507)],
  ])('is repeated after %s', async (_, error) => {
    expect(await attempt([error, error])).toMatchObject({ outcome: 'done', attempts: 3, requested: [false, false] });
  });

  test.each([
    ['400', refusal(400, 'damaged_image')],
    ['401', refusal(401, 'unauthorized')],
    ['403', refusal(403, 'forbidden')],
    ['413', refusal(413, 'file_too_large')],
    ['415', refusal(415, 'ext_not_allowed')],
    ['a full disk', refusal(507, 'storage_full')],
    ["a proxy's 413", proxy(413)],
    ["another program's response", proxy(200)],
    ['an invalid certificate', caused('CERT_HAS_EXPIRED')],
    ['a redirect', new RedirectError('https://pics.example.org/', 'http://pics.example.org')],
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

import { expect, test } from 'vitest';
import { ApiError, NetworkError } from '#api/client.ts';
import { withRetries } from '#main/uploader/retry.ts';

/** Fails as given, one error per try, then succeeds; answers what happened. */
async function attempt(...errors: Error[]) {
  const pauses: number[] = [];
  const failures = [...errors];
  const action = async () => {
    const error = failures.shift();
    if (error) throw error;
    return 'link';
  };
  const outcome = await withRetries(action, async (pause) => pauses.push(pause)).catch((error: Error) => error);
  return { outcome, pauses };
}

const unreachable = new NetworkError('Could not reach the service');
const refused = (status: number, code: 'unavailable' | 'rate_limited' | 'damaged_image' | 'storage_full', retry_after?: number) =>
  new ApiError(status, 'refused', { code, retry_after });

test('a service that is not reached is tried again, with growing delays', async () => {
  expect(await attempt(unreachable, unreachable, unreachable)).toEqual({ outcome: 'link', pauses: [500, 2_000, 5_000] });
});

test('in the end the error is told', async () => {
  const { outcome } = await attempt(unreachable, unreachable, unreachable, unreachable);
  expect(outcome).toBe(unreachable);
});

test('a picture that is refused is not sent again', async () => {
  const error = refused(400, 'damaged_image');
  expect(await attempt(error)).toEqual({ outcome: error, pauses: [] });
});

test('a full disk does not get better by itself', async () => {
  const error = refused(507, 'storage_full');
  expect(await attempt(error)).toEqual({ outcome: error, pauses: [] });
});

test('a break that the service asks for is kept, a long one is not waited for', async () => {
  expect(await attempt(refused(429, 'rate_limited', 3))).toEqual({ outcome: 'link', pauses: [3_000] });
  const hourly = refused(429, 'rate_limited', 1_800);
  expect(await attempt(hourly)).toEqual({ outcome: hourly, pauses: [] });
});

test('a service that is just not available is tried again', async () => {
  expect(await attempt(refused(503, 'unavailable'))).toEqual({ outcome: 'link', pauses: [500] });
});

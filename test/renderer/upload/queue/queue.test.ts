import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, NetworkError } from '#api/client.ts';
import type { ErrorCode } from '#api/errors.ts';
import type { FormFields, Uploaded } from '#api/images/upload.ts';
import { type QueueOptions, UploadQueue } from '#renderer/upload/queue/queue.ts';
import type { Progress, UploadItem } from '#renderer/upload/queue/types.ts';

interface Sending {
  idempotencyKey: string;
  name: string;
  user: number | undefined;
  fields: FormFields;
  signal: AbortSignal;
  progress: (progress: Progress) => void;
  succeed: (image?: Partial<Uploaded>) => Promise<void>;
  fail: (error: unknown) => Promise<void>;
}

/** A queue whose files the test sends. */
function queueOf(options: Pick<QueueOptions, 'parallel' | 'refuse' | 'user' | 'untilReachable'> = {}) {
  const sending: Sending[] = [];
  const drained: (readonly UploadItem[])[] = [];
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const queue = new UploadQueue({
    ...options,
    send: ({ idempotencyKey, name, user, fields }, progress, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        sending.push({
          idempotencyKey,
          name,
          user,
          fields,
          signal,
          progress,
          async succeed(image = {}) {
            resolve({ key: name, reused: false, created_at: new Date().toISOString(), ...image } as Uploaded);
            await settle();
          },
          async fail(error) {
            reject(error);
            await settle();
          },
        });
      }),
    onDrained: (items) => drained.push(items),
  });
  const states = () => queue.getSnapshot().items.map((item) => item.state);
  const at = (index: number) => sending[index] as Sending;
  return { queue, sending, drained, states, at };
}

const files = (...names: string[]) => names.map((name) => ({ source: new File(['x'.repeat(100)], name), name }));
const refusal = (status: number, code: ErrorCode, retry_after?: number) =>
  new ApiError(status, 'a sentence', { code, ...(retry_after !== undefined && { retry_after }) });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the upload queue', () => {
  it('sends a few files at a time, in order', async () => {
    const { queue, sending, states, at } = queueOf({ parallel: 2 });
    queue.add(files('a', 'b', 'c'));
    expect(states()).toEqual(['sending', 'sending', 'waiting']);
    await at(0).succeed();
    expect(states()).toEqual(['done', 'sending', 'sending']);
    expect(sending.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('sends each file with a key of its own, the same on retries unless the service refuses it', async () => {
    const { queue, sending, at } = queueOf({ parallel: 1 });
    queue.add(files('a', 'a'));
    await at(0).fail(new NetworkError('lost'));
    await vi.advanceTimersByTimeAsync(1000);
    await at(1).fail(refusal(400, 'damaged_image'));
    await at(2).succeed();
    queue.retry(1);
    await at(3).fail(refusal(410, 'deleted'));
    queue.retry(1);
    await at(4).fail(new ApiError(422, 'From a newer service.', { code: 'invalid_request', retry: 'new_key' }));
    queue.retry(1);
    const [first, again, other, retried, ...renewed] = sending.map(({ idempotencyKey }) => idempotencyKey);
    expect([again, retried]).toEqual([first, first]);
    expect(new Set([first, other, ...renewed]).size).toBe(4);
    for (const { idempotencyKey } of sending) expect(idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  it('sends each file with the options that it was added with, on retries too', async () => {
    const { queue, sending, at } = queueOf({ parallel: 1 });
    const fields = { album_id: 'coast00000', expires_in: '3600' };
    queue.add(files('a'), { fields });
    queue.add(files('b'));
    await at(0).fail(refusal(400, 'damaged_image'));
    queue.retry(1);
    await at(1).succeed();
    expect(sending.map((each) => [each.name, each.fields])).toEqual([
      ['a', fields],
      ['b', {}],
      ['a', fields],
    ]);
  });

  it('sends each file as the user who added it, and retries it as the user signed in by then', async () => {
    let signedIn: number | undefined;
    const { queue, sending, at } = queueOf({ parallel: 1, user: () => signedIn });
    queue.add(files('a'), { user: 7 });
    await at(0).fail(refusal(400, 'damaged_image'));
    queue.retry(1);
    await at(1).fail(refusal(400, 'damaged_image'));
    signedIn = 8;
    queue.retry(1);
    expect(sending.map(({ user }) => user)).toEqual([7, 7, 8]);
  });

  it('continues after a failed file, and reports the batch once', async () => {
    const { queue, drained, states, at } = queueOf({ parallel: 1 });
    queue.add(files('bad', 'good'));
    await at(0).fail(refusal(400, 'damaged_image'));
    await at(1).succeed();
    expect(states()).toEqual(['failed', 'done']);
    expect(drained).toHaveLength(1);
    expect(drained[0]?.map(({ name, state }) => [name, state])).toEqual([
      ['bad', 'failed'],
      ['good', 'done'],
    ]);
  });

  it('reports a later batch separately', async () => {
    const { queue, drained, at } = queueOf();
    queue.add(files('a'));
    await at(0).succeed();
    queue.add(files('b'));
    await at(1).succeed();
    expect(drained.map((items) => items.map(({ name }) => name))).toEqual([['a'], ['b']]);
  });

  it('shows progress and speed, and when the service is processing a file', async () => {
    const { queue, at } = queueOf();
    queue.add(files('a'));
    await vi.advanceTimersByTimeAsync(1000);
    at(0).progress({ sent: 50, total: 100 });
    expect(queue.getSnapshot().items[0]).toMatchObject({ state: 'sending', sent: 50, speed: 50 });
    at(0).progress({ sent: 100, total: 100 });
    expect(queue.getSnapshot().items[0]?.state).toBe('processing');
  });

  it('cancels one file and not the others', async () => {
    const { queue, sending, states, at } = queueOf({ parallel: 1 });
    queue.add(files('a', 'b', 'c'));
    const [first, second] = queue.getSnapshot().items;
    queue.cancel(second?.id ?? 0);
    queue.cancel(first?.id ?? 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(at(0).signal.aborted).toBe(true);
    expect(states()).toEqual(['cancelled', 'cancelled', 'sending']);
    expect(sending.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  it('refuses a hopeless file before sending', async () => {
    const { queue, sending, states, at } = queueOf({ refuse: (file) => (file.name === 'huge' ? new Error('too large') : undefined) });
    queue.add(files('huge', 'small'));
    expect(states()).toEqual(['failed', 'sending']);
    await at(0).succeed();
    expect(sending.map(({ name }) => name)).toEqual(['small']);
  });

  it('retries only what may succeed', async () => {
    const { queue, sending, states, at } = queueOf();
    queue.add(files('text', 'full', 'broken'));
    await at(0).fail(refusal(415, 'ext_not_allowed'));
    await at(1).fail(refusal(413, 'quota_exceeded'));
    await at(2).fail(refusal(400, 'damaged_image'));
    expect(queue.getSnapshot().summary).toMatchObject({ failed: 3, retryable: 1 });
    queue.retryFailed();
    expect(sending.map(({ name }) => name)).toEqual(['text', 'full', 'broken', 'full']);
    await at(3).succeed();
    expect(states()).toEqual(['failed', 'done', 'failed']);
  });

  it.each([
    ['the service', refusal(507, 'storage_full', 30)],
    ['a proxy', new NetworkError('HTTP 507', { status: 507 })],
  ])('sends nothing again while the disk of %s is full, until the user asks for it', async (_, error) => {
    const { queue, sending, states, at } = queueOf({ untilReachable: () => Promise.resolve() });
    queue.add(files('a'));
    await at(0).fail(error);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(states()).toEqual(['failed']);
    expect(sending).toHaveLength(1);
    expect(queue.getSnapshot()).toMatchObject({ pausedUntil: undefined, isUnreachable: false, summary: { retryable: 1 } });
    queue.retryFailed();
    await at(1).succeed();
    expect(states()).toEqual(['done']);
  });

  it('waits as long as the service asks, then continues automatically', async () => {
    const { queue, sending, states, at } = queueOf({ parallel: 1 });
    queue.add(files('a', 'b'));
    await at(0).fail(refusal(429, 'rate_limited', 30));
    expect(states()).toEqual(['waiting', 'waiting']);
    expect(queue.getSnapshot().pausedUntil).toBe(Date.now() + 30_000);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(sending).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(states()).toEqual(['sending', 'waiting']);
    await at(1).succeed();
    await at(2).succeed();
    expect(states()).toEqual(['done', 'done']);
  });

  it('waits through an outage however long, then sends the same files again in order', async () => {
    const back = Promise.withResolvers<void>();
    const { queue, sending, states, at } = queueOf({ parallel: 2, untilReachable: () => back.promise });
    queue.add(files('a', 'b', 'c'));
    await at(1).fail(new NetworkError('gone'));
    await at(0).fail(new NetworkError('HTTP 502', { status: 502 }));
    await vi.advanceTimersByTimeAsync(8 * 3_600_000);
    expect(queue.getSnapshot()).toMatchObject({ isUnreachable: true, secondsLeft: undefined });
    expect(states()).toEqual(['waiting', 'waiting', 'waiting']);
    expect(sending).toHaveLength(2);
    back.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(queue.getSnapshot().isUnreachable).toBe(false);
    expect(sending.slice(2).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(states()).toEqual(['sending', 'sending', 'waiting']);
  });

  it('gives up on a file whose upload is always cut off although the service responds', async () => {
    const { queue, sending, states, at } = queueOf({ untilReachable: () => Promise.resolve() });
    queue.add(files('a'));
    for (let tries = 0; tries < 6; tries += 1) {
      await at(tries).fail(new NetworkError('broke off'));
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(sending).toHaveLength(6);
    expect(states()).toEqual(['failed']);
  });

  it('tells a picture that was there before from one that this upload has added in a lost attempt', async () => {
    const { queue, at } = queueOf({ parallel: 1 });
    queue.add(files('lost', 'old'));
    await at(0).fail(new NetworkError('lost'));
    await vi.advanceTimersByTimeAsync(1000);
    await at(1).succeed({ reused: true });
    await at(2).succeed({ reused: true, created_at: '2020-01-01T00:00:00Z' });
    expect(queue.getSnapshot().items.map(({ reused }) => reused)).toEqual([false, true]);
    expect(queue.getSnapshot().summary).toMatchObject({ added: 1, known: 1 });
  });

  it('notifies a few times a second, however many files change', async () => {
    const { queue, sending } = queueOf({ parallel: 3 });
    let notified = 0;
    queue.subscribe(() => {
      notified += 1;
    });
    queue.add(files(...Array.from({ length: 10_000 }, (_, index) => `${index}`)));
    for (let index = 0; index < 3_000; index += 1) void sending[index]?.succeed();
    await vi.advanceTimersByTimeAsync(1000);
    expect(notified).toBeGreaterThan(0);
    expect(notified).toBeLessThanOrEqual(11);
    queue.cancelAll();
    await vi.advanceTimersByTimeAsync(1000);
    expect(notified).toBeLessThanOrEqual(14);
    expect(queue.getSnapshot().summary.open).toBe(0);
  });

  it('removes dismissed and finished files, never running ones', async () => {
    const { queue, states, at } = queueOf({ parallel: 1 });
    queue.add(files('a', 'b', 'c'));
    await at(0).succeed();
    queue.clear();
    expect(states()).toEqual(['sending', 'waiting']);
    queue.dismiss(queue.getSnapshot().items[0]?.id ?? 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(at(1).signal.aborted).toBe(true);
    expect(queue.getSnapshot().items.map(({ name }) => name)).toEqual(['c']);
  });

  it('removes all that has failed at once, and nothing else', async () => {
    const { queue, states, at } = queueOf({ parallel: 1 });
    queue.add(files('a', 'b', 'c', 'd'));
    await at(0).fail(refusal(400, 'damaged_image'));
    await at(1).succeed();
    await at(2).fail(refusal(400, 'damaged_image'));
    queue.dismissFailed();
    expect(states()).toEqual(['done', 'sending']);
  });

  it('survives a thousand files that all fail', async () => {
    const { queue, sending, drained, at } = queueOf({ parallel: 3 });
    queue.add(files(...Array.from({ length: 1000 }, (_, index) => `${index}`)));
    for (let index = 0; index < 1000; index += 1) await at(index).fail(refusal(400, 'damaged_image'));
    expect(sending).toHaveLength(1000);
    expect(drained).toHaveLength(1);
  });
});

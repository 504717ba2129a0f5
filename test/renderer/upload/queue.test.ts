import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, NetworkError } from '#api/client.ts';
import type { Uploaded } from '#api/upload.ts';
import { type QueueOptions, UploadQueue } from '#renderer/upload/queue.ts';
import type { Progress, UploadItem } from '#renderer/upload/types.ts';

interface Sending {
  idempotencyKey: string;
  name: string;
  user: number | undefined;
  albumId: string | undefined;
  signal: AbortSignal;
  progress: (progress: Progress) => void;
  succeed: () => Promise<void>;
  fail: (error: unknown) => Promise<void>;
}

/** A queue whose files the test sends. */
function queueOf(options: Pick<QueueOptions, 'parallel' | 'refuse' | 'user'> = {}) {
  const sending: Sending[] = [];
  const drained: (readonly UploadItem[])[] = [];
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const queue = new UploadQueue({
    ...options,
    send: ({ idempotencyKey, name, user, albumId }, progress, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        sending.push({
          idempotencyKey,
          name,
          user,
          albumId,
          signal,
          progress,
          async succeed() {
            resolve({ key: name } as Uploaded);
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

const files = (...names: string[]) => names.map((name) => ({ file: new File(['x'.repeat(100)], name), name }));
const refusal = (status: number, code: 'damaged_image' | 'deleted' | 'rate_limited' | 'unavailable', retry_after?: number) =>
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
    const [first, again, other, retried, renewed] = sending.map(({ idempotencyKey }) => idempotencyKey);
    expect([again, retried]).toEqual([first, first]);
    expect(new Set([first, other, renewed]).size).toBe(3);
    for (const { idempotencyKey } of sending) expect(idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  it('sends each file to the album that it was added for, on retries too', async () => {
    const { queue, sending, at } = queueOf({ parallel: 1 });
    queue.add(files('a'), { albumId: 'coast00000' });
    queue.add(files('b'));
    await at(0).fail(refusal(400, 'damaged_image'));
    queue.retry(1);
    await at(1).succeed();
    expect(sending.map(({ name, albumId }) => [name, albumId])).toEqual([
      ['a', 'coast00000'],
      ['b', undefined],
      ['a', 'coast00000'],
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

  it('refuses a hopeless file before sending, but sends it on a manual retry', async () => {
    const { queue, sending, states, at } = queueOf({ refuse: (file) => (file.name === 'huge' ? new Error('too large') : undefined) });
    queue.add(files('huge', 'small'));
    expect(states()).toEqual(['failed', 'sending']);
    await at(0).succeed();
    queue.retryFailed();
    expect(sending.at(-1)?.name).toBe('huge');
    await at(1).succeed();
    expect(states()).toEqual(['done', 'done']);
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

  it('retries automatically while the service restarts, but not forever', async () => {
    const { queue, sending, states, at } = queueOf();
    queue.add(files('a'));
    for (let tries = 0; tries < 6; tries += 1) {
      await at(tries).fail(new NetworkError('gone'));
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(sending).toHaveLength(6);
    expect(states()).toEqual(['failed']);
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

  it('survives a thousand files that all fail', async () => {
    const { queue, sending, drained, at } = queueOf({ parallel: 3 });
    queue.add(files(...Array.from({ length: 1000 }, (_, index) => `${index}`)));
    for (let index = 0; index < 1000; index += 1) await at(index).fail(refusal(400, 'damaged_image'));
    expect(sending).toHaveLength(1000);
    expect(drained).toHaveLength(1);
  });
});

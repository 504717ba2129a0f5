import { expect, test } from 'vitest';
import { createQueue, type QueueItem } from '#main/uploader/queue.ts';

/** A queue whose uploads end when the test decides. */
function controlled(parallel: number) {
  const running = new Map<string, PromiseWithResolvers<string>>();
  const started: string[] = [];
  const run = (source: string) => {
    const work = Promise.withResolvers<string>();
    running.set(source, work);
    started.push(source);
    return work.promise;
  };
  return { queue: createQueue({ parallel, run }), running, started };
}

const states = (items: readonly QueueItem<string, string>[]) => items.map(({ source, state }) => `${source} ${state}`);

test('starts uploads in order, up to the concurrency limit', async () => {
  const { queue, running, started } = controlled(2);
  const added = queue.add(['a', 'b', 'c']);
  expect(started).toEqual(['a', 'b']);
  running.get('b')?.resolve('B');
  expect((await added[1]?.settled)?.result).toBe('B');
  await Promise.resolve();
  await expect.poll(() => started).toEqual(['a', 'b', 'c']);
});

test('continues after a failed upload and keeps it until it is retried', async () => {
  const { queue, running, started } = controlled(1);
  const [bad, good] = queue.add(['bad', 'good']);
  running.get('bad')?.reject(new Error('refused'));
  expect(await bad?.settled).toMatchObject({ state: 'failed', error: new Error('refused') });
  await expect.poll(() => running.has('good')).toBe(true);
  running.get('good')?.resolve('link');
  expect(await good?.settled).toMatchObject({ state: 'done', result: 'link' });
  expect(states(queue.items())).toEqual(['bad failed']);

  const again = queue.retry(bad?.id ?? '');
  await expect.poll(() => started).toEqual(['bad', 'good', 'bad']);
  running.get('bad')?.resolve('link');
  expect(await again).toMatchObject({ state: 'done', result: 'link' });
  expect(queue.items()).toEqual([]);
});

test('retries failed uploads only', async () => {
  const { queue } = controlled(1);
  const [first] = queue.add(['a']);
  expect(queue.retry(first?.id ?? '')).toBeUndefined();
  expect(queue.retry('unknown')).toBeUndefined();
});

test("never starts a discarded upload, and doesn't discard a running one", async () => {
  const { queue, running, started } = controlled(1);
  const [first, second] = queue.add(['a', 'b']);
  queue.discard(second?.id ?? '');
  queue.discard(first?.id ?? '');
  expect((await second?.settled)?.state).toBe('discarded');
  running.get('a')?.resolve('A');
  expect((await first?.settled)?.state).toBe('done');
  expect(started).toEqual(['a']);
});

test('notifies listeners of every change', async () => {
  const { queue, running } = controlled(1);
  const seen: string[] = [];
  queue.onChange(({ source, state }) => seen.push(`${source} ${state}`));
  const [only] = queue.add(['a']);
  running.get('a')?.resolve('A');
  await only?.settled;
  expect(seen).toEqual(['a queued', 'a uploading', 'a done']);
});

test('waits for running uploads when closing, and starts no others', async () => {
  const { queue, running, started } = controlled(1);
  queue.add(['a', 'b']);
  let closed = false;
  const closing = queue.close().then(() => {
    closed = true;
  });
  await Promise.resolve();
  expect(closed).toBe(false);
  running.get('a')?.resolve('A');
  await closing;
  expect(started).toEqual(['a']);
});

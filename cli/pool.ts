/**
 * Works on items, several at a time, taking the next one only when a place is free; memory does not grow with their number.
 * The work must handle its own failures; one that throws ends everything.
 */
export async function runPool<T>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let ended = false;
  const worker = async () => {
    while (!ended) {
      const { done, value } = await iterator.next();
      if (done) break;
      await work(value as T);
    }
    ended = true;
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, worker));
  } finally {
    ended = true;
    await iterator.return?.();
  }
}

/** The same with results, which come in the order of the items however long each one takes. */
export async function* mapInOrder<T, R>(items: readonly T[], concurrency: number, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  let next = 0;
  const start = () => {
    const item = items[next++] as T;
    const result = work(item);
    // Awaited later, in its turn; until then a failure is not unhandled.
    result.catch(() => undefined);
    running.push(result);
  };
  while (next < items.length || running.length) {
    while (running.length < concurrency && next < items.length) start();
    yield await (running.shift() as Promise<R>);
  }
}

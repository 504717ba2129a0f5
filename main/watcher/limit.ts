/** Runs work, a given number at a time; the rest waits its turn. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

export function limitTo(parallel: number): Limit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= parallel) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The next one takes over this one's place.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

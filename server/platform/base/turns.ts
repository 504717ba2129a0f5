/** Runs work beside other work, or alone. */
export interface Turns {
  beside<T>(work: () => Promise<T>): Promise<T>;
  /** Waits for what runs; everything else waits for it. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const running = new Set<Promise<unknown>>();
  /** Resolves when the last one that runs alone has ended. */
  let undisturbed: Promise<unknown> = Promise.resolve();
  return {
    async beside(work) {
      for (let last: unknown; last !== undisturbed; ) {
        last = undisturbed;
        await last;
      }
      const run = work();
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
      }
    },
    async alone(work) {
      const before = undisturbed;
      const { promise, resolve } = Promise.withResolvers<void>();
      undisturbed = promise;
      await before;
      await Promise.allSettled(running);
      try {
        return await work();
      } finally {
        resolve();
      }
    },
  };
}

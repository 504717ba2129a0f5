/**
 * Runs work that holds a picture in memory. All of it goes through one of these, so that pictures together take no more than
 * the service may.
 *
 * @param bytes what the work takes at its peak (`memory.ts`); what takes more than there is runs alone
 */
export type Decoding = <T>(bytes: number, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  readonly bytes: number;
  start(): void;
  overtaken: number;
}

/** So many smaller pictures may go before a large one that waits; then all wait until there is room for it. */
const MOST_OVERTAKINGS = 8;

/**
 * @param atOnce most pieces of work that run at the same time
 * @param bytes most bytes that they take together
 */
export function createDecoding({ atOnce, bytes: room }: { atOnce: number; bytes: number }): Decoding {
  const queue: Waiting[] = [];
  let running = 0;
  let taken = 0;

  function startWhatFits() {
    for (let at = 0; at < queue.length && running < atOnce; ) {
      const next = queue[at] as Waiting;
      if (taken + next.bytes <= room) {
        queue.splice(at, 1);
        for (const passed of queue.slice(0, at)) passed.overtaken++;
        running++;
        taken += next.bytes;
        next.start();
      } else if (next.overtaken >= MOST_OVERTAKINGS) return;
      else at++;
    }
  }

  return async (wanted, work) => {
    const bytes = Math.min(wanted, room);
    await new Promise<void>((start) => {
      queue.push({ bytes, start, overtaken: 0 });
      startWhatFits();
    });
    try {
      return await work();
    } finally {
      running--;
      taken -= bytes;
      startWhatFits();
    }
  };
}

/**
 * Runs work that holds an image in memory. All such work shares one of these, which bounds the memory of the service.
 *
 * @param bytes the work's peak memory (`memory.ts`); work that needs more than the whole budget runs alone
 */
export type Decoding = <T>(bytes: number, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  readonly bytes: number;
  start(): void;
  overtaken: number;
}

/** How many smaller images may overtake a large one; after that, all wait until there is room for it. */
const MAX_OVERTAKES = 8;

/**
 * @param atOnce the number of jobs that run at the same time
 * @param bytes the memory that they share
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
      } else if (next.overtaken >= MAX_OVERTAKES) return;
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

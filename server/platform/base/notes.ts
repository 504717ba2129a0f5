import { LRUCache } from 'lru-cache';

const NOTED_EVERY_MS = 60_000;
const MAX_KINDS = 100;

/**
 * Writes a note of each kind once a minute at most, with how often it has happened since: a line for each request would fill the disk. Kinds must not
 * contain what clients send.
 */
export function createNotes(): (kind: string, write: (times: number) => void) => void {
  const notes = new LRUCache<string, { times: number; writtenAt: number }>({ max: MAX_KINDS });
  return (kind, write) => {
    const { times, writtenAt } = notes.get(kind) ?? { times: 0, writtenAt: Number.NEGATIVE_INFINITY };
    const now = performance.now();
    const isDue = now - writtenAt >= NOTED_EVERY_MS;
    notes.set(kind, isDue ? { times: 0, writtenAt: now } : { times: times + 1, writtenAt });
    if (isDue) write(times + 1);
  };
}

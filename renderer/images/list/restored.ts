/** Milliseconds within which the event of a deletion arrives. */
const LATEST_EVENT_MS = 60_000;

const restored = new Map<string, number>();

/** Notes that this page has put images back. */
export function noteRestored(keys: Iterable<string>): void {
  const now = Date.now();
  for (const [key, at] of restored) if (now - at > LATEST_EVENT_MS) restored.delete(key);
  for (const key of keys) restored.set(key, now);
}

/** Whether this page has just put an image back, so that the event of its deletion may still be on its way. */
export const isJustRestored = (key: string): boolean => Date.now() - (restored.get(key) ?? 0) < LATEST_EVENT_MS;

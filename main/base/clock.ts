/** Time, replaceable so that tests don't have to wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `action` once after a delay; returns a function that cancels it. */
  after(milliseconds: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};

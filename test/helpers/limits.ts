import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Limits } from '#server/platform/limits/limits.ts';

/** Counters in memory only. */
export const volatileLimits = (): Limits => ({
  counter: (name, { points, duration }) => new RateLimiterMemory({ points, duration, keyPrefix: name }),
});

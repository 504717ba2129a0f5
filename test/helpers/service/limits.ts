import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Limits } from '#server/platform/limits/limits.ts';

/** Counters in memory only, and the keys of what is counted, each with whether its counter keeps all. */
export function watchedLimits(): { limits: Limits; counted: [key: string, keepsAll: boolean][] } {
  const counted: [key: string, keepsAll: boolean][] = [];
  const { counter } = volatileLimits();
  const limits: Limits = {
    counter(name, options) {
      const real = counter(name, options);
      return Object.assign(Object.create(real), {
        penalty(key: string) {
          counted.push([key, options.keepsAll === true]);
          return real.penalty(key);
        },
      });
    },
  };
  return { limits, counted };
}

/** Counters in memory only. */
export const volatileLimits = (): Limits => ({
  counter: (name, { points, duration }) => new RateLimiterMemory({ points, duration, keyPrefix: name }),
});

import { DAY, HOUR, MINUTE } from '#api/durations.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import { tooManyRequests } from '#server/platform/base/errors.ts';
import type { Counter } from '#server/platform/limits/counter.ts';
import type { Limits } from '#server/platform/limits/limits.ts';

/** Counts uploads per uploader against their group's limits. */
export interface UploadRates {
  /** @throws RequestError `rate_limited` */
  take(uploader: string, group: Pick<Group, 'uploads_per_minute' | 'uploads_per_hour' | 'uploads_per_day'>): Promise<void>;
}

const WINDOWS = [
  { seconds: MINUTE, limit: 'uploads_per_minute', name: 'minute' },
  { seconds: HOUR, limit: 'uploads_per_hour', name: 'hour' },
  { seconds: DAY, limit: 'uploads_per_day', name: 'day' },
] as const;

export function createUploadRates(limits: Limits): UploadRates {
  const counters = WINDOWS.map((window) => ({
    ...window,
    counter: limits.counter(`uploads per ${window.name}`, { points: Number.MAX_SAFE_INTEGER, duration: window.seconds }),
  }));
  return {
    async take(uploader, group) {
      const counted: Counter[] = [];
      for (const { counter, limit, name } of counters) {
        if (group[limit] === 0) continue;
        const state = await counter.consume(uploader);
        counted.push(counter);
        if (state.consumedPoints <= group[limit]) continue;
        // A rejected upload counts in no window, so waiting for the shortest one is enough.
        for (const one of counted) await one.reward(uploader);
        const count = group[limit];
        throw tooManyRequests(`You can upload at most ${count} ${count === 1 ? 'picture' : 'pictures'} per ${name}.`, state.msBeforeNext);
      }
    },
  };
}

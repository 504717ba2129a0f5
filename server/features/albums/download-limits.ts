import { HOUR } from '#api/durations.ts';
import { tooManyRequests } from '#server/platform/base/errors.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import type { Limits } from '#server/platform/limits/limits.ts';

/** Limits how many downloads of whole albums a visitor starts, so that one visitor's downloads leave disk and bandwidth for others. */
export interface DownloadRates {
  /**
   * Begins a download.
   * @param address the client's IP address
   * @returns a function that ends it
   * @throws RequestError `rate_limited`
   */
  begin(address: string): Promise<() => void>;
}

const MAX_PER_HOUR = 30;
const MAX_AT_ONCE = 2;
/** When to try again while the earlier downloads run: how long they take isn't known. */
const BUSY_MS = 30_000;

export function createDownloadRates(limits: Limits): DownloadRates {
  const started = limits.counter('downloads of albums', { points: Number.MAX_SAFE_INTEGER, duration: HOUR });
  const running = new Map<string, number>();
  return {
    async begin(address) {
      const who = networkOf(address);
      const { consumedPoints, msBeforeNext } = await started.consume(who);
      const now = running.get(who) ?? 0;
      if (consumedPoints > MAX_PER_HOUR || now >= MAX_AT_ONCE) {
        await started.reward(who);
        if (now >= MAX_AT_ONCE) throw tooManyRequests('Your other downloads are still running.', BUSY_MS);
        throw tooManyRequests(`You can download at most ${MAX_PER_HOUR} albums per hour.`, msBeforeNext);
      }
      running.set(who, now + 1);
      return () => {
        const left = (running.get(who) ?? 1) - 1;
        if (left > 0) running.set(who, left);
        else running.delete(who);
      };
    },
  };
}

import { ApiError, NetworkError } from '#api/client.ts';

const MAX_TRIES = 4;
const LONGEST_WAIT = 120;

/**
 * Seconds until a failed upload is worth another try by itself, or undefined when a person has to decide.
 * `tries` counts those already made. Only what passes by itself is tried again: rate limits, a service that restarts, a network that blinks.
 */
export function retryDelay(error: unknown, tries: number): number | undefined {
  if (tries >= MAX_TRIES) return undefined;
  if (error instanceof NetworkError) return 2 ** (tries - 1);
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 429 || error.status === 503) {
    const wait = error.details.retry_after ?? 2 ** tries;
    return wait <= LONGEST_WAIT ? wait : undefined;
  }
  return undefined;
}

/** The year of the oldest photograph that there is. */
export const MIN_TAKEN_YEAR = 1826;

/**
 * Whether a picture can have been taken at a time, in milliseconds since 1970: from 1826 to the end of the next year, in UTC. Clocks and time
 * zones may be ahead; a year further on, a camera's clock was never set.
 */
export function canBeTaken(time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  return year >= MIN_TAKEN_YEAR && year <= new Date().getUTCFullYear() + 1;
}

import type { FormFields } from '#api/images/upload.ts';

/** The time given for an image without a date of its own: the service prefers the one in the file. `time`: milliseconds since 1970. */
export function takenAt(time: number): Pick<FormFields, 'taken_at'> {
  return time > 0 && time <= Date.now() ? { taken_at: new Date(time).toISOString() } : {};
}

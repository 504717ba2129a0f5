import { DAY, HOUR } from '#api/durations.ts';
import { dayOf } from '#renderer/i18n/format.ts';
import { momentOf } from './expiry-time.ts';

/** The periods that are offered wherever a picture gets an expiry. */
export const EXPIRIES = [
  { seconds: HOUR, label: 'library.hour' },
  { seconds: DAY, label: 'library.day' },
  { seconds: 7 * DAY, label: 'library.week' },
  { seconds: 30 * DAY, label: 'tokens.days30' },
  { seconds: 365 * DAY, label: 'tokens.year' },
] as const;

/** An expiry as requests take it. */
export type AskedExpiry = { expires_in: number } | { expires_at: string };

const EXACT = '@';

/**
 * The text of an expiry as fields hold it: seconds (`0`: none), or `@` and a local time as `datetime-local` has it,
 * `@` alone while that is incomplete.
 */
export const exactly = (localTime: string) => EXACT + localTime;
/** The local time in an expiry's text; undefined where it is a period. */
export const localTimeIn = (text: string) => (text.startsWith(EXACT) ? text.slice(EXACT.length) : undefined);

/** A time as `datetime-local` has it, in the time zone of the browser and to the minute. */
export function toLocalTime(time: Date): string {
  return `${dayOf(time)}T${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`;
}

/** What an expiry's text asks for; undefined while it is incomplete. */
export function askedExpiry(text: string): AskedExpiry | undefined {
  const local = localTimeIn(text);
  if (local === undefined) return { expires_in: Number(text) };
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : { expires_at: time.toISOString() };
}

/** What is wrong with an expiry's text. `maxSeconds`: the longest allowed, from now. */
export function expiryProblem(text: string, maxSeconds: number, now = Date.now()): 'incomplete' | 'past' | 'late' | undefined {
  if (localTimeIn(text) === undefined) return undefined;
  const asked = askedExpiry(text);
  const time = asked && momentOf(asked)?.getTime();
  if (time === undefined) return 'incomplete';
  if (time <= now) return 'past';
  return time > now + maxSeconds * 1000 ? 'late' : undefined;
}

import { expect, it } from 'vitest';
import { askedExpiry, exactly, expiryProblem, toLocalTime } from '#renderer/components/forms/expiries.ts';
import { momentOf } from '#renderer/components/forms/expiry-time.ts';

const NOW = new Date(2026, 10, 23, 9, 5, 30).getTime();
const DAY = 86_400;

it('asks for a period in seconds, and for an exact local time as an instant', () => {
  expect(askedExpiry('3600')).toEqual({ expires_in: 3600 });
  const text = exactly('2026-12-31T18:00');
  expect(askedExpiry(text)).toEqual({ expires_at: new Date(2026, 11, 31, 18, 0).toISOString() });
  expect(momentOf({ expires_in: 60 }, NOW)?.getTime()).toBe(NOW + 60_000);
  expect(momentOf({ expires_in: 0 }, NOW)).toBeUndefined();
  expect(toLocalTime(new Date(NOW))).toBe('2026-11-23T09:05');
});

it('finds times that are incomplete, past or too late', () => {
  expect(expiryProblem('0', DAY, NOW)).toBeUndefined();
  expect(expiryProblem(exactly(''), DAY, NOW)).toBe('incomplete');
  expect(expiryProblem(exactly('2026-11-23T09:05'), DAY, NOW)).toBe('past');
  expect(expiryProblem(exactly('2026-11-23T09:06'), DAY, NOW)).toBeUndefined();
  expect(expiryProblem(exactly('2026-11-24T09:05'), DAY, NOW)).toBeUndefined();
  expect(expiryProblem(exactly('2026-11-24T09:06'), DAY, NOW)).toBe('late');
});

import { DAY_MS } from '#api/durations.ts';

/** A calendar day: the month such as `2026-11`, and the day in it. */
export interface LocalDay {
  month: string;
  day: number;
}

/**
 * Returns a function that finds the calendar day of an instant (milliseconds since 1970) in a time zone. Formatting each instant would
 * take seconds for a large library, so the offset is looked up once for each day (UTC) during which it doesn't change.
 */
export function localDays(timeZone: string): (instant: number) => LocalDay {
  const offsets = new Map<number, number>();
  let last = { number: Number.NaN, day: { month: '', day: 0 } };
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });

  function offsetAt(instant: number): number {
    const second = Math.floor(instant / 1000) * 1000;
    const parts = Object.fromEntries(format.formatToParts(second).map(({ type, value }) => [type, Number(value)])) as Record<
      string,
      number
    >;
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second: seconds = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, seconds) - second;
  }

  function startOffset(utcDay: number): number {
    const known = offsets.get(utcDay) ?? offsetAt(utcDay * DAY_MS);
    offsets.set(utcDay, known);
    return known;
  }

  return (instant) => {
    const utcDay = Math.floor(instant / DAY_MS);
    const offset = startOffset(utcDay) === startOffset(utcDay + 1) ? startOffset(utcDay) : offsetAt(instant);
    const number = Math.floor((instant + offset) / DAY_MS);
    // Images in a row are mostly of the same day.
    if (number !== last.number) {
      const local = new Date(number * DAY_MS);
      last = { number, day: { month: local.toISOString().slice(0, 7), day: local.getUTCDate() } };
    }
    return last.day;
  };
}

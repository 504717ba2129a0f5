import { describe, expect, it } from 'vitest';
import { dateFormat, dayOf, formatBytes, formatDuration, formatWait } from '#renderer/i18n/format.ts';

describe('formatters', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KB'],
    [3_565_158, '3.4 MB'],
    [157_286_400, '150 MB'],
    [21_474_836_480, '20 GB'],
    [5e15, '4,547 TB'],
  ])('writes %d bytes as %s', (bytes, text) => expect(formatBytes(bytes, 'en-GB')).toBe(text));

  it.each([
    [0.2, '1 sec'],
    [42, '42 secs'],
    [130, '2 mins 10 secs'],
    [3725, '1 hr 2 mins'],
  ])('writes %d seconds as %s', (seconds, text) => expect(formatDuration(seconds, 'en-GB')).toBe(text));

  it.each([
    [42, '42\u00a0秒'],
    [130, '2\u00a0分钟 10\u00a0秒'],
    [3725, '1\u00a0小时 2\u00a0分钟'],
  ])('writes %d seconds in Chinese as %s', (seconds, text) => expect(formatDuration(seconds, 'zh-CN')).toBe(text));

  it('groups by the local day, not by the one in Greenwich', () => {
    const lateEvening = new Date(2026, 10, 21, 23, 59, 59);
    expect(dayOf(lateEvening)).toBe('2026-11-21');
    expect(dayOf(lateEvening.toISOString())).toBe('2026-11-21');
    expect(dayOf(new Date(2026, 10, 22, 0, 0, 0))).toBe('2026-11-22');
  });

  it.each([
    ['en-GB', '18 Nov', '18 Nov 2025', 'Mon, 25 Sept 2023', '25 Sept 2023, 09:05'],
    ['zh-CN', '11月18日', '2025年11月18日', '2023年9月25日周一', '2023年9月25日 09:05'],
  ])('names the year of a date only when it is another one, in %s', (locale, thisYear, lastYear, withWeekday, withTime) => {
    const now = new Date(2026, 10, 21);
    const shown = (text: string) => text.replaceAll('\u2060', '');
    expect(shown(dateFormat(locale)(new Date(2026, 10, 18), now))).toBe(thisYear);
    expect(shown(dateFormat(locale)(new Date(2025, 10, 18), now))).toBe(lastYear);
    const picnic = new Date(2023, 8, 25, 9, 5);
    expect(shown(dateFormat(locale, { weekday: 'short' })(picnic, now))).toBe(withWeekday);
    expect(shown(dateFormat(locale, { hour: '2-digit', minute: '2-digit' })(picnic, now))).toBe(withTime);
  });

  it('keeps Chinese dates on one line, though not together with the time', () => {
    const format = dateFormat('zh-CN', { hour: '2-digit', minute: '2-digit' });
    expect(format(new Date(2023, 8, 25, 9, 5))).toBe('2023\u2060年\u20609\u2060月\u206025\u2060日 09:05');
  });
});

it.each([
  [275, 'en-GB', '5 minutes'],
  [61, 'en-GB', '61 seconds'],
  [91, 'en-GB', '2 minutes'],
  [0, 'en-GB', '1 second'],
  [275, 'zh-CN', '5\u00a0分钟'],
])('%d seconds until another attempt are shown rounded up: %s', (seconds, locale, shown) => {
  expect(formatWait(seconds, locale)).toBe(shown);
});

import { describe, expect, it } from 'vitest';
import { dayOf, formatBytes, formatDay, formatDuration, formatWait } from '#renderer/i18n/format.ts';

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
    [42, '42 秒'],
    [130, '2 分钟 10 秒'],
    [3725, '1 小时 2 分钟'],
  ])('writes %d seconds in Chinese as %s', (seconds, text) => expect(formatDuration(seconds, 'zh-CN')).toBe(text));

  it('groups by the local day, not by the one in Greenwich', () => {
    const lateEvening = new Date(2026, 10, 21, 23, 59, 59);
    expect(dayOf(lateEvening)).toBe('2026-11-21');
    expect(dayOf(lateEvening.toISOString())).toBe('2026-11-21');
    expect(dayOf(new Date(2026, 10, 22, 0, 0, 0))).toBe('2026-11-22');
  });

  it('names the year of a day only when it is another one', () => {
    const now = new Date(2026, 10, 21);
    expect(formatDay('2026-11-18', 'en-GB', now)).toBe('Wednesday 18 November');
    expect(formatDay('2025-11-18', 'en-GB', now)).toBe('Tuesday, 18 November 2025');
    expect(formatDay('2025-11-18', 'zh-CN', now)).toBe('2025年11月18日星期二');
  });
});

it.each([
  [275, 'en-GB', '5 minutes'],
  [61, 'en-GB', '61 seconds'],
  [91, 'en-GB', '2 minutes'],
  [0, 'en-GB', '1 second'],
  [275, 'zh-CN', '5 分钟'],
])('%d seconds until another attempt are shown rounded up: %s', (seconds, locale, shown) => {
  expect(formatWait(seconds, locale)).toBe(shown);
});

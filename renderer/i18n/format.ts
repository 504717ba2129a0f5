import { useMemo } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';

const PERIODS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Puts a space between a number and a Chinese unit, as the texts do: “2 分钟”. Lines don't break there. */
function spaced(text: string): string {
  return text.replace(/(?<=\d)(?=\p{Script=Han})/u, '\u00a0');
}

/** Keeps a Chinese date on one line, which could end after each of its numbers and characters otherwise. */
function unbroken(date: string): string {
  return date.replace(/(?<=\d)(?=[年月日])|(?<=[年月])(?=\d)|(?<=日)(?=周)/gu, '\u2060');
}

/** Formats bytes in steps of 1024, as file managers do: “3.4 MB”. */
export function formatBytes(bytes: number, locale: string): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  const digits = step === 0 || value >= 100 ? 0 : 1;
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)} ${UNITS[step]}`;
}

/** Formats seconds in the one or two units that matter: “2 mins 10 secs”. */
export function formatDuration(seconds: number, locale: string): string {
  const whole = Math.max(1, Math.round(seconds));
  const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
    spaced(new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value));
  if (whole >= 3600) return `${unit(Math.floor(whole / 3600), 'hour')} ${unit(Math.floor((whole % 3600) / 60), 'minute')}`;
  if (whole >= 60) return `${unit(Math.floor(whole / 60), 'minute')} ${unit(whole % 60, 'second')}`;
  return unit(whole, 'second');
}

/** Formats the time until another attempt, rounded up: “5 minutes”, “40 seconds”. */
export function formatWait(seconds: number, locale: string): string {
  const minutes = seconds > 90;
  const value = Math.max(1, Math.ceil(minutes ? seconds / 60 : seconds));
  const unit = minutes ? 'minute' : 'second';
  return spaced(new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value));
}

/** Formats a length of time in its largest unit: “3 days”, “5 hours”, “1 minute”. Rounded down, so nothing expires sooner than shown. */
function formatPeriod(seconds: number, locale: string): string {
  const [name, length] = PERIODS.find(([, each]) => seconds >= each) ?? (['second', 1] as const);
  const value = Math.max(1, Math.floor(seconds / length));
  return spaced(new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' }).format(value));
}

/** The same, as short as it gets: “3d”, “5h”, “1m”. */
function formatShortPeriod(seconds: number, locale: string): string {
  const [name, length] = PERIODS.find(([, each]) => seconds >= each) ?? (['minute', 60] as const);
  const value = Math.max(1, Math.floor(seconds / length));
  return spaced(new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'narrow' }).format(value));
}

/** The local calendar day of an instant, as `2026-11-21`. The timeline groups by it. */
export function dayOf(instant: string | Date): string {
  const date = new Date(instant);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** Returns a function that formats a date, with the year only if it differs from `now`'s: “25 Sept”, “25 Sept 2023”. `more` adds a weekday or the time. */
export function dateFormat(locale: string, more: Intl.DateTimeFormatOptions = {}) {
  const options = { day: 'numeric', month: 'short', ...more } as const;
  const thisYear = new Intl.DateTimeFormat(locale, options);
  const otherYear = new Intl.DateTimeFormat(locale, { ...options, year: 'numeric' });
  return (date: Date, now = new Date()) => unbroken((date.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(date));
}

/** The user's English, whose dates differ: “25 Sept”, “Sep 25”. */
const ENGLISH = navigator.languages.find((language) => /^en\b/i.test(language)) ?? 'en-GB';

/** Formatters in the language of the page. */
export function useFormat() {
  const { t, language } = useTranslation();
  const locale = language === 'zh' ? 'zh-CN' : ENGLISH;
  return useMemo(() => {
    // “9:05 PM”, but “09:05”.
    const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
    const time = { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' } as const;
    const date = dateFormat(locale);
    const moment = dateFormat(locale, time);
    const dayOfWeek = dateFormat(locale, { weekday: 'short' });
    const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
    const number = new Intl.NumberFormat(locale);
    const compact = new Intl.NumberFormat(locale, { notation: 'compact' });
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
    const [comma, colon, or] = locale === 'zh-CN' ? ['、', '：', ' 或 '] : [', ', ': ', ' or '];
    return {
      bytes: (bytes: number) => formatBytes(bytes, locale),
      duration: (seconds: number) => formatDuration(seconds, locale),
      wait: (seconds: number) => formatWait(seconds, locale),
      /** Of a video: in whole minutes, if it is as long as that. */
      length: (seconds: number) => (seconds % 60 ? formatDuration : formatWait)(seconds, locale),
      period: (seconds: number) => formatPeriod(seconds, locale),
      shortPeriod: (seconds: number) => formatShortPeriod(seconds, locale),
      number: (value: number) => number.format(value),
      compact: (value: number) => compact.format(value),
      percent: (share: number) => percent.format(share),
      list: (parts: readonly string[]) => parts.join(comma),
      /** One of several: “JPEG, PNG or WebP”. */
      choice: (parts: readonly string[]) => [parts.slice(0, -1).join(comma), ...parts.slice(-1)].filter(Boolean).join(or),
      labelled: (label: string, text: string) => `${label}${colon}${text}`,
      date: (instant: string) => date(new Date(instant)),
      /** A month such as `2026-11`. */
      month: (value: string) => month.format(new Date(`${value}-15T12:00:00`)),
      moment: (instant: string | Date) => moment(new Date(instant)),
      /** A day in the format of {@link dayOf}, as a heading. */
      day(day: string) {
        const now = new Date();
        if (day === dayOf(now)) return t('gallery.today');
        if (day === dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))) return t('gallery.yesterday');
        return dayOfWeek(new Date(`${day}T12:00:00`), now);
      },
    };
  }, [locale, t]);
}

import { DAY_MS } from '#api/durations.ts';
import { extOf, FORMATS, formatsWith } from '#api/formats.ts';

/** What the words of a search can mean besides text: tags, dates, file types and sizes. */

/** Words of a search that belong together. An image matches if a text has all of them, or by the date or the type that they name. */
export interface SearchPart {
  words: string[];
  /** A year, month or day: `2019`, `2019-05` or `2019-05-14`. */
  date?: string;
  /** Several of them, any of which matches: the days of a week, or a month of every year. */
  dates?: string[];
  /** The extension of links, or `video` for those of all videos. */
  type?: string;
  /** What is meant as a tag, if the user has such a tag: `#work`, `tag:work` or `tag:"two words"`. */
  tag?: string;
}

/** The bounds of a size in bytes: at least, at most. */
export interface SizeRange {
  min_size?: number;
  max_size?: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FULL_MONTHS =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/;
const CHINESE_DIGITS = '一二三四五六七八九';
const TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(formatsWith('shown').flatMap((name) => FORMATS[name].exts.map((ext) => [ext, extOf(name)]))),
  animation: 'gif',
  动图: 'gif',
  video: 'video',
  videos: 'video',
  视频: 'video',
};

const UNITS: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };
/** Such as “> 5 MB”, “under 200 kb”, “大于 5 MB”. */
const SIZE = /(?<=^|\s)(>=?|≥|over|larger than|大于|超过|<=?|≤|under|smaller than|小于)\s*(\d+(?:[.,]\d+)?)\s*([kmg])b(?=\s|$)/giu;
const AT_LEAST = /^(>|≥|over|larger|大于|超过)/iu;

/** Chinese dates stand without spaces around them, but may have some inside. */
const CHINESE_DATE = /((?:19|20)\d\d)\s*年(?:\s*(\d{1,2}|十[一二]?|[一二三四五六七八九])\s*月(?:份)?(?:\s*(\d{1,2})\s*[日号])?)?/gu;

/** A word, or a tag in quotation marks, which may have spaces inside. */
const WORD = /(?:#|tag:|标签:)(?:"[^"]+"|“[^”]+”)|\S+/giu;
const TAG = /^(?:#|tag:|标签:)["“]?([^"“”]+)["”]?$/iu;

const MAX_PARTS = 8;

/**
 * The meaning of a search text: all parts must match, and the size. Its days are those of UTC, as in the index: close to midnight, “today”
 * can differ from the day of the viewer's clock.
 */
export function parseSearch(text: string, now = new Date()): { parts: SearchPart[] } & SizeRange {
  const sizes: SizeRange = {};
  const rest = text.normalize('NFKC').replace(SIZE, (_, sign: string, amount: string, unit: string) => {
    const bytes = Math.round(Number(amount.replace(',', '.')) * (UNITS[unit.toLowerCase()] as number));
    if (AT_LEAST.test(sign)) sizes.min_size = bytes;
    else sizes.max_size = bytes;
    return ' ';
  });
  const words = rest.replace(CHINESE_DATE, (date) => ` ${date.replace(/\s/gu, '')} `).match(WORD) ?? [];
  const parts: SearchPart[] = [];
  for (let at = 0; at < words.length && parts.length < MAX_PARTS; ) {
    const part = partAt(words, at, now);
    parts.push(part);
    at += part.words.length;
  }
  return { parts, ...sizes };
}

/** The longest date that begins at a word, or the word alone. */
function partAt(words: readonly string[], at: number, now: Date): SearchPart {
  for (const length of [3, 2, 1]) {
    const some = words.slice(at, at + length);
    if (some.length < length) continue;
    const text = some.join(' ').toLowerCase();
    const date = dateOf(text);
    if (date) return { words: some, date };
    const dates = relativeDates(text, now) ?? everyYear(text, now);
    if (dates) return { words: some, dates };
  }
  const word = words[at] as string;
  const type = TYPES[word.toLowerCase().replace(/^(type|类型):/, '')];
  const tag = TAG.exec(word)?.[1]?.trim();
  return { words: [word], ...(type && { type }), ...(tag && { tag }) };
}

/** The date in a text that is one and nothing else. */
function dateOf(text: string): string | undefined {
  const [, chineseYear, chineseMonth, chineseDay] = new RegExp(`^${CHINESE_DATE.source}$`, 'u').exec(text) ?? [];
  if (chineseYear) return toDate(chineseYear, chineseMonth && fromChinese(chineseMonth), chineseDay);
  const numbers = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(text);
  if (numbers) return toDate(numbers[1], numbers[2], numbers[3]);
  const [, month, year] = /^(\d{1,2})[/.](\d{4})$/.exec(text) ?? [];
  if (year) return toDate(year, month);
  const named =
    /^(?:(?<d>\d{1,2})(?:st|nd|rd|th)? )?(?<m>[a-z]{3,9})[.,]? (?<y>\d{4})$/.exec(text) ??
    /^(?<m>[a-z]{3,9})\.? (?<d>\d{1,2})(?:st|nd|rd|th)?,? (?<y>\d{4})$/.exec(text) ??
    /^(?<y>\d{4}) (?<m>[a-z]{3,9})\.?$/.exec(text);
  const { y, m = '', d } = named?.groups ?? {};
  return y && FULL_MONTHS.test(m) ? toDate(y, String(MONTHS.indexOf(m.slice(0, 3)) + 1), d) : undefined;
}

function fromChinese(month: string): string {
  if (/^\d/.test(month)) return month;
  const tens = month.startsWith('十') ? 10 : 0;
  return String(tens + CHINESE_DIGITS.indexOf(month.at(-1) as string) + 1);
}

/** Undefined for dates that don't exist. */
function toDate(year = '', month?: string, day?: string): string | undefined {
  if (!/^(19|20)\d\d$/.test(year)) return undefined;
  const date = [year, month, day].filter((part) => part !== undefined).map((part) => part.padStart(2, '0'));
  const full = new Date(`${[...date, '01', '01'].slice(0, 3).join('-')}T00:00:00Z`);
  return !Number.isNaN(full.getTime()) && full.toISOString().startsWith(date.join('-')) ? date.join('-') : undefined;
}

const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The week of a day, from Monday to Sunday. */
function weekOf(time: number): string[] {
  const weekday = (new Date(time).getUTCDay() + 6) % 7;
  return Array.from({ length: 7 }, (_, day) => isoDay(time + (day - weekday) * DAY_MS));
}

/** What the gallery's own headings and similar words mean at a moment. */
function relativeDates(text: string, now: Date): string[] | undefined {
  const time = now.getTime();
  const month = (plus: number) => [isoDay(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + plus, 1)).slice(0, 7)];
  const year = (plus: number) => [String(now.getUTCFullYear() + plus)];
  const meanings: Readonly<Record<string, () => string[]>> = {
    'today|今天': () => [isoDay(time)],
    'yesterday|昨天': () => [isoDay(time - DAY_MS)],
    'this week|本周|这周|本星期|这个星期': () => weekOf(time),
    'last week|上周|上星期|上个星期': () => weekOf(time - 7 * DAY_MS),
    'this month|本月|这个月': () => month(0),
    'last month|上个月|上月': () => month(-1),
    'this year|今年': () => year(0),
    'last year|去年': () => year(-1),
  };
  return Object.entries(meanings).find(([words]) => words.split('|').includes(text))?.[1]();
}

/** Earlier pictures have no date that a camera could have written. */
const FIRST_YEAR = 1970;

/** A month of every year: “november”, “11月”. */
function everyYear(text: string, now: Date): string[] | undefined {
  const chinese = /^(\d{1,2}|十[一二]?|[一二三四五六七八九])月(?:份)?$/.exec(text)?.[1];
  const month = chinese ? Number(fromChinese(chinese)) : FULL_MONTHS.test(text) ? MONTHS.indexOf(text.slice(0, 3)) + 1 : 0;
  if (month < 1 || month > 12) return undefined;
  const last = now.getUTCFullYear() + 1;
  return Array.from({ length: last - FIRST_YEAR + 1 }, (_, index) => `${FIRST_YEAR + index}-${String(month).padStart(2, '0')}`);
}

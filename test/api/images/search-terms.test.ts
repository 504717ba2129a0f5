import { expect, it } from 'vitest';
import { parseSearch } from '#api/images/search-terms.ts';

const datesIn = (text: string) => parseSearch(text).parts.map(({ date }) => date);

it.each([
  ['2007', '2007'],
  ['May 2019', '2019-05'],
  ['2019 december', '2019-12'],
  ['sept. 2019', '2019-09'],
  ['14 May 2019', '2019-05-14'],
  ['May 4th, 2019', '2019-05-04'],
  ['2019-05', '2019-05'],
  ['5/2019', '2019-05'],
  ['2019.5.4', '2019-05-04'],
  ['2019年', '2019'],
  ['2019年5月', '2019-05'],
  ['2019年十月', '2019-10'],
  ['2019年十二月', '2019-12'],
  ['2019 年 5 月 14 日', '2019-05-14'],
  ['２０１９年５月', '2019-05'],
])('reads “%s” as a date', (text, date) => {
  expect(datesIn(text)).toEqual([date]);
});

it.each(['2019-02-30', '2019-13', '0815', '20190', '13月', 'mayor', 'IMG_2019'])('reads “%s” as a word', (text) => {
  expect(parseSearch(text)).toEqual({ parts: [{ words: [text] }] });
});

it('separates dates, types and sizes from other words, and keeps the words that they could also be', () => {
  expect(parseSearch('harbour May 2019 jpeg > 1.5 MB')).toEqual({
    parts: [{ words: ['harbour'] }, { words: ['May', '2019'], date: '2019-05' }, { words: ['jpeg'], type: 'jpg' }],
    min_size: 1_572_864,
  });
  expect(parseSearch('东京2019年5月塔')).toEqual({
    parts: [{ words: ['东京'] }, { words: ['2019年5月'], date: '2019-05' }, { words: ['塔'] }],
  });
});

it.each([
  ['>5mb', { min_size: 5_242_880 }],
  ['大于 5 MB', { min_size: 5_242_880 }],
  ['under 200 KB', { max_size: 204_800 }],
  ['≥1,5 GB', { min_size: 1_610_612_736 }],
  ['> 1 KB < 2 KB', { min_size: 1_024, max_size: 2_048 }],
])('reads “%s” as sizes', (text, sizes) => {
  expect(parseSearch(text)).toEqual({ parts: [], ...sizes });
});

/** A Friday, late enough that most of Asia already has the next day: days are those of UTC. */
const NOW = new Date('2026-11-27T23:30:00Z');
const week = (from: number) => Array.from({ length: 7 }, (_, day) => `2026-11-${from + day}`);

it.each([
  ['today', ['2026-11-27']],
  ['今天', ['2026-11-27']],
  ['Yesterday', ['2026-11-26']],
  ['昨天', ['2026-11-26']],
  ['last week', week(16)],
  ['上周', week(16)],
  ['上个星期', week(16)],
  ['this month', ['2026-11']],
  ['last month', ['2026-10']],
  ['去年', ['2025']],
])('reads “%s” as days around the moment of the search', (text, dates) => {
  expect(parseSearch(text, NOW).parts).toEqual([{ words: text.split(' '), dates }]);
});

it.each(['november', 'Nov', '11月', '十一月'])('reads “%s” as that month of every year, and as a word', (text) => {
  const [{ words, dates } = {}] = parseSearch(text, NOW).parts;
  expect(words).toEqual([text]);
  expect(dates).toEqual(expect.arrayContaining(['1999-11', '2026-11']));
  expect(dates?.every((date) => date.endsWith('-11'))).toBe(true);
});

it.each([
  ['#work', 'work'],
  ['tag:Work', 'Work'],
  ['Tag:"two words"', 'two words'],
  ['标签：“两 个”', '两 个'],
  ['＃工作', '工作'],
])('reads “%s” as a tag', (text, tag) => {
  expect(parseSearch(`${text} boat`).parts.map((part) => part.tag)).toEqual([tag, undefined]);
});

it.each(['#', 'tag:', 'a#1', 'hashtag:work'])('reads “%s” as a word', (text) => {
  expect(parseSearch(text)).toEqual({ parts: [{ words: [text] }] });
});

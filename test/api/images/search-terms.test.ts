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

it.each(['2019-02-30', '2019-13', '0815', '20190', 'may', '二月', 'IMG_2019'])('reads “%s” as a word', (text) => {
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

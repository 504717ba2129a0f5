import { expect, it } from 'vitest';
import { suggest } from '#renderer/features/gallery/filters/suggest.ts';

const OFFERS = {
  albums: [
    { id: 'a', name: 'Around the harbour' },
    { id: 'b', name: 'Harbour' },
    { id: 'c', name: 'Éclairs 2019' },
  ],
  tags: ['harbour seals', 'may'],
  months: ['2021-05', '2020-05', '2019-12', '2019-05', '2019-01'],
};
const NAMES = ['January', '', '', '', 'May', '', '', '', '', '', '', 'December'];
const labels = {
  taken: (period: string) => (period.length === 4 ? period : `${NAMES[Number(period.slice(5)) - 1]} ${period.slice(0, 4)}`),
  size: ({ min_size, max_size }: { min_size?: number; max_size?: number }) => `${min_size ?? ''}–${max_size ?? ''}`,
  type: (type: string) => type.toUpperCase(),
};
const suggested = (text: string) => {
  const { rest, suggestions } = suggest(text, OFFERS, labels);
  return [rest, ...suggestions.map(({ kind, label }) => `${kind} ${label}`)];
};

it.each([
  ['harb', ['', 'album Harbour', 'album Around the harbour', 'tag harbour seals']],
  ['ECLAIR', ['', 'album Éclairs 2019']],
  ['ma', ['', 'tag may', 'taken May 2021', 'taken May 2020', 'taken May 2019']],
  ['201', ['', 'album Éclairs 2019', 'taken 2019', 'taken December 2019', 'taken May 2019', 'taken January 2019']],
  ['May 2019', ['', 'taken May 2019']],
  ['2019年5月', ['', 'taken May 2019']],
  ['14 May 2019', ['', 'taken May 2019']],
  ['June 2019', ['June', 'album Éclairs 2019', 'taken 2019', 'taken December 2019', 'taken May 2019', 'taken January 2019']],
  ['pn', ['', 'type PNG']],
  ['jpeg', ['', 'type JPG']],
  ['vid', ['', 'type VIDEO']],
  ['视频', ['', 'type VIDEO']],
  ['type:video', ['', 'type VIDEO']],
  ['#ma', ['', 'tag may']],
  ['boat tag:seals', ['boat', 'tag harbour seals']],
  ['> 5 MB', ['', 'size 5242880–']],
  ['boat trip May 2019', ['boat trip', 'taken May 2019']],
  ['boat > 5 MB < 1 GB', ['boat', 'size 5242880–1073741824']],
  ['nothing', ['nothing']],
  ['', ['']],
])('suggests filters for “%s”', (text, expected) => {
  expect(suggested(text)).toEqual(expected);
});

it('gives the filters that a suggestion stands for', () => {
  const filtersOf = (text: string) => suggest(text, OFFERS, labels).suggestions.map(({ filters }) => filters);
  expect([filtersOf('éclairs'), filtersOf('seals'), filtersOf('May 2020'), filtersOf('gif'), filtersOf('< 1 kb')]).toEqual([
    [{ album_id: 'c' }],
    [{ tag: 'harbour seals' }],
    [{ taken: '2020-05' }],
    [{ type: 'gif' }],
    [{ max_size: 1_024 }],
  ]);
});

import { expect, it } from 'vitest';
import { DAY_HEIGHT } from '#renderer/images/grid/layout.ts';
import { layOutList } from '#renderer/images/grid/list-layout.ts';

const OPTIONS = { width: 800, target: 64, gap: 0 };
const DAYS = ['2026-11-28', '2026-11-28', '2026-11-28', '2026-11-27', '2026-11-26'];

it('gives each picture a row, below the heading of its day', () => {
  const layout = layOutList({ ratios: DAYS.map(() => 1.5), days: DAYS }, OPTIONS);
  expect(layout.rows).toBe(5);
  expect(layout.height).toBe(5 * 64 + 3 * DAY_HEIGHT);
  expect(layout.rowAt(0)).toEqual({
    first: 0,
    top: 0,
    heading: DAY_HEIGHT,
    height: 64,
    lefts: [0],
    widths: [800],
    days: [{ day: '2026-11-28', first: 0, end: 3, left: 0, width: 800 }],
  });
  expect(layout.rowAt(2)).toMatchObject({ top: DAY_HEIGHT + 2 * 64, heading: 0, days: [] });
  expect(layout.rowAt(3).days).toMatchObject([{ day: '2026-11-27', first: 3, end: 4 }]);
});

it('finds the row at any distance from the top', () => {
  const layout = layOutList({ ratios: DAYS.map(() => 1.5), days: DAYS }, OPTIONS);
  for (let row = 0; row < layout.rows; row += 1) {
    const { top, heading, height } = layout.rowAt(row);
    expect([top, top + heading + height - 1].map(layout.rowAtTop)).toEqual([row, row]);
  }
  expect([-500, 1e9].map(layout.rowAtTop)).toEqual([0, 4]);
});

it('has no headings without days, and no rows without pictures', () => {
  expect(layOutList({ ratios: [1, 2], days: undefined }, OPTIONS)).toMatchObject({ rows: 2, height: 128 });
  expect(layOutList({ ratios: [], days: undefined }, OPTIONS)).toMatchObject({ rows: 0, height: 0 });
});

it('says where the thumbnails are, for what is drawn below them', () => {
  const { thumbnails } = layOutList({ ratios: [1, 2], days: ['2026-11-28', '2026-11-28'] }, OPTIONS);
  expect(thumbnails.rowAt(0)).toMatchObject({ top: 10, heading: DAY_HEIGHT, height: 44, lefts: [4], widths: [56] });
  expect(thumbnails.rowAt(1)).toMatchObject({ top: DAY_HEIGHT + 64 + 10, heading: 0 });
});

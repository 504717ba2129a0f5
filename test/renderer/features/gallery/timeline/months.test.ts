import { expect, it } from 'vitest';
import { monthAt, monthsOf, spread } from '#renderer/features/gallery/timeline/scrubber.tsx';
import { layOut } from '#renderer/images/grid/layout.ts';

it('finds the months of a timeline and where each begins', () => {
  const days = [...new Array(20).fill('2026-11-21'), '2026-10-30', '2026-09-02', ...new Array(9).fill('2025-12-24')];
  const layout = layOut({ ratios: days.map(() => 1.5), days }, { width: 1000, target: 200, gap: 6 });
  const months = monthsOf(layout);
  expect(months.map(({ month }) => month)).toEqual(['2026-11', '2026-10', '2026-09', '2025-12']);
  // October and September share a row.
  expect(months[1]?.top).toBe(months[2]?.top);
  for (const [index, { top }] of months.entries()) if (index !== 1) expect(monthAt(months, top)).toBe(index);
  expect(monthAt(months, 1e9)).toBe(3);
  expect(monthAt(months, -50)).toBe(0);
});

it('has no months where there are no days', () => {
  expect(monthsOf(layOut({ ratios: [1, 1], days: undefined }, { width: 1000, target: 200, gap: 6 }))).toEqual([]);
});

it('draws no marks on top of each other', () => {
  expect(
    spread(
      [0, 3, 10, 11, 25].map((at) => ({ at })),
      8,
    ),
  ).toEqual([{ at: 0 }, { at: 10 }, { at: 25 }]);
});

import { describe, expect, it } from 'vitest';
import { DAY_HEIGHT, type Layout, layOut, neighbour, type Row } from '#renderer/images/grid/layout.ts';
import { layOutList } from '#renderer/images/grid/list-layout.ts';
import type { Frames } from '#renderer/images/list/pages.ts';

const OPTIONS = { width: 1000, target: 200, gap: 6 };
const SHAPES = [1.5, 0.66, 1.78, 1, 3.5, 0.2, 1.33];

/** Images of varying shape on days with these numbers of images, newest first. */
function someFrames(...counts: number[]): Frames {
  const days = counts.flatMap((count, index) =>
    new Array<string>(count).fill(new Date(Date.UTC(2026, 10, 21) - index * 86_400_000).toISOString().slice(0, 10)),
  );
  return { ratios: days.map((_, index) => SHAPES[index % SHAPES.length] as number), days };
}

const rowsOf = (layout: Layout) => Array.from({ length: layout.rows }, (_, index) => layout.rowAt(index));
const endOf = ({ lefts, widths }: Row) => (lefts.at(-1) ?? 0) + (widths.at(-1) ?? 0);

describe('the grid layout', () => {
  it('shows every image once, in order, under its day', () => {
    const frames = someFrames(1, 2, 40, 3, 1, 1, 1, 60, 2);
    let next = 0;
    let top = 0;
    let day = '';
    for (const row of rowsOf(layOut(frames, OPTIONS))) {
      expect(row.first).toBe(next);
      expect(row.top).toBe(top);
      for (let image = row.first; image < row.first + row.widths.length; image += 1) {
        day = row.days.find(({ first }) => first === image)?.day ?? day;
        expect(day).toBe(frames.days?.[image]);
      }
      next += row.widths.length;
      top += row.heading + row.height + OPTIONS.gap;
    }
    expect(next).toBe(frames.ratios.length);
  });

  it('puts several days with few images into one row, each under its heading', () => {
    const layout = layOut(someFrames(1, 1, 1), OPTIONS);
    expect(layout.rows).toBe(1);
    const { days, heading, lefts } = layout.rowAt(0);
    expect(heading).toBe(DAY_HEIGHT);
    expect(days.map(({ first, end, left }) => [first, end, left])).toEqual(lefts.map((left, index) => [index, index + 1, left]));
  });

  it('keeps headings of neighbours apart, however narrow their images', () => {
    const days = Array.from({ length: 40 }, (_, index) => `2026-01-${index}`);
    for (const row of rowsOf(layOut({ ratios: days.map(() => 0.2), days }, { ...OPTIONS, target: 120 }))) {
      expect(row.days.length).toBeGreaterThan(3);
      for (const { width } of row.days) expect(width).toBeGreaterThanOrEqual(90);
      expect(endOf(row)).toBeLessThanOrEqual(1000);
    }
  });

  it('gives a day with many images rows of its own', () => {
    const layout = layOut(someFrames(2, 30, 2), OPTIONS);
    const many = rowsOf(layout).filter(({ first }) => first >= 2 && first < 32);
    expect(many.length).toBeGreaterThan(3);
    expect(many.map(({ heading }) => heading > 0)).toEqual(many.map((_, index) => index === 0));
    expect(many[0]?.days[0]).toMatchObject({ first: 2, end: 32 });
    expect(layout.rowAt(layout.rowOf(32)).days).toHaveLength(1);
  });

  it('ends rows on the same pixel, and never beyond', () => {
    const rows = rowsOf(layOut(someFrames(...new Array(20).fill(25), ...new Array(60).fill(1)), OPTIONS));
    for (const row of rows) expect(endOf(row)).toBeLessThanOrEqual(1000);
    expect(rows.filter((row) => endOf(row) === 1000).length).toBeGreaterThan(rows.length * 0.75);
    for (const row of rows) expect(row.widths.every((width) => Number.isInteger(width) && width > 0)).toBe(true);
  });

  it('keeps rows near the target height for images of any shape', () => {
    for (const counts of [new Array(20).fill(25), new Array(100).fill(1), [500]])
      for (const { height } of rowsOf(layOut(someFrames(...counts), OPTIONS))) {
        expect(height).toBeGreaterThan(110);
        expect(height).toBeLessThan(290);
      }
  });

  it('lays out a list without days, and without images', () => {
    const layout = layOut({ ratios: [1.5], days: undefined }, OPTIONS);
    expect(rowsOf(layout)).toMatchObject([{ heading: 0, widths: [300], height: 200, days: [] }]);
    expect(layOut({ ratios: [], days: undefined }, OPTIONS)).toMatchObject({ rows: 0, height: 0 });
  });

  it('lays out 100 000 images in a moment', () => {
    const frames = someFrames(...new Array(3_650).fill(27));
    const start = process.threadCpuUsage();
    const layout = layOut(frames, OPTIONS);
    const { user, system } = process.threadCpuUsage(start);
    expect(user + system).toBeLessThan(400_000); // µs of CPU time, which other programs on the machine don't change
    expect(layout.rowAt(layout.rows - 1).first).toBeGreaterThan(98_000);
  });
});

describe('places in the grid', () => {
  const layout = layOut(someFrames(3, 50, 1, 1, 90, 2), OPTIONS);

  it('are found by image and by distance from the top', () => {
    for (let image = 0; image < 147; image += 1) {
      const { first, widths, top, heading, height } = layout.rowAt(layout.rowOf(image));
      expect(image - first).toBeGreaterThanOrEqual(0);
      expect(image - first).toBeLessThan(widths.length);
      expect(layout.rowAtTop(top)).toBe(layout.rowOf(image));
      expect(layout.rowAtTop(top + heading + height - 1)).toBe(layout.rowOf(image));
    }
    expect(layout.rowAtTop(-100)).toBe(0);
  });

  it('are reached up and down, to both ends', () => {
    const visited = [0];
    for (;;) {
      const below = neighbour(layout, visited.at(-1) as number, 1);
      if (below === visited.at(-1)) break;
      expect(layout.rowOf(below)).toBe(visited.length);
      visited.push(below);
    }
    expect(visited).toHaveLength(layout.rows);
    expect(neighbour(layout, 0, -1)).toBe(0);
  });
});

describe('list layout', () => {
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
});

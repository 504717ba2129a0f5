import type { Layout } from '#renderer/images/grid/layout.ts';

/** A month of a timeline, and where it begins, in CSS pixels from the top of the grid. */
export interface MonthMark {
  /** Such as `2026-11`. */
  month: string;
  top: number;
}

/** The months of a timeline, in its order. */
export function monthsOf(layout: Layout): MonthMark[] {
  const { days } = layout.frames;
  const marks: MonthMark[] = [];
  if (!days) return marks;
  for (let row = 0; row < layout.rows; row += 1) {
    const { first, top, lefts } = layout.rowAt(row);
    for (let image = first; image < first + lefts.length; image += 1) {
      const month = (days[image] as string).slice(0, 7);
      if (month !== marks.at(-1)?.month) marks.push({ month, top });
    }
  }
  return marks;
}

/** Index of the month at a distance from the top of the grid. */
export function monthAt(marks: readonly MonthMark[], top: number): number {
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((marks[middle] as MonthMark).top <= top) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The marks to draw along a rail: at most one for every `space` CSS pixels, the first of each kept. */
export function spread<T extends { at: number }>(marks: readonly T[], space: number): T[] {
  const drawn: T[] = [];
  for (const mark of marks) if (drawn.length === 0 || mark.at - (drawn.at(-1) as T).at >= space) drawn.push(mark);
  return drawn;
}

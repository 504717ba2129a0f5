import type { Frames } from '#renderer/images/list/pages.ts';
import { DAY_HEIGHT, type Layout, type LayoutOptions, type RowDay } from './layout.ts';

/** In CSS pixels. */
export const THUMBNAIL = { width: 56, height: 44 };
const INSET = 4;

export interface ListLayout extends Layout {
  /** The same rows with thumbnails alone, for what is drawn below these. */
  thumbnails: Layout;
}

/** One row for each image; a day begins with its heading. */
export function layOutList({ ratios, days }: Frames, { width, target, gap }: LayoutOptions): ListLayout {
  const count = ratios.length;
  const tops = new Float64Array(count);
  const begun = new Map<number, RowDay>();
  let last: RowDay | undefined;
  let height = 0;
  for (let image = 0; image < count; image += 1) {
    tops[image] = height;
    const day = days?.[image];
    if (day !== undefined && day !== last?.day) {
      last = { day, first: image, end: image, left: 0, width };
      begun.set(image, last);
      height += DAY_HEIGHT;
    }
    if (last) last.end = image + 1;
    height += target + gap;
  }
  const layout: Layout = {
    frames: { ratios, days },
    options: { width, target, gap },
    rows: count,
    height,
    rowAt(first) {
      const day = begun.get(first);
      const top = tops[first] as number;
      return { first, top, heading: day ? DAY_HEIGHT : 0, height: target, lefts: [0], widths: [width], days: day ? [day] : [] };
    },
    rowOf: (image) => image,
    rowAtTop(at) {
      let low = 0;
      let high = count - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((tops[middle] as number) <= at) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
  const thumbnailAt = (row: number) => {
    const { top, ...rest } = layout.rowAt(row);
    return { ...rest, top: top + (target - THUMBNAIL.height) / 2, height: THUMBNAIL.height, lefts: [INSET], widths: [THUMBNAIL.width] };
  };
  return { ...layout, thumbnails: { ...layout, rowAt: thumbnailAt } };
}

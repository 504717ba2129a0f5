import type { ComponentProps } from 'react';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { type AnyImage, isOwn } from '#renderer/images/list/batch.ts';
import type { Frames } from '#renderer/images/list/pages.ts';
import { usePreferences } from '#renderer/preferences/preferences.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { Grid, type GridAside } from './grid.tsx';
import { MAX_SCALE } from './keep-size.ts';
import { DAY_HEIGHT, type Layout, type LayoutOptions, type RowDay } from './layout.ts';
import classes from './list-grid.module.css';
import { Thumbnail } from './thumbnail.tsx';
import type { ContentProps, Look } from './tile.tsx';

/** From this width on, in CSS pixels, facts stand in columns; below, in a second line. The stylesheet has the same number. */
const COLUMNS_FROM = 1040;
/** Of thumbnails, in CSS pixels. */
const [WIDTH, HEIGHT] = [56, 44];
const INSET = 4;
const rowSize = (width: number) => ({ gap: 0, target: width < COLUMNS_FROM ? 64 : 52 });

type Props = Omit<ComponentProps<typeof Grid<AnyImage>>, 'rowSize' | 'look'>;

interface ListLayout extends Layout {
  /** The same rows with thumbnails alone, for what is drawn below these. */
  thumbnails: Layout;
}

/** The same grid with one image in each row, and what there is to know of it. */
export function ListGrid({ backdrop, ...props }: Props) {
  const below = backdrop && ((grid: GridAside) => backdrop({ ...grid, layout: (grid.layout as ListLayout).thumbnails }));
  return <Grid {...props} {...(below && { backdrop: below })} rowSize={rowSize} look={LOOK} />;
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
    return { ...rest, top: top + (target - HEIGHT) / 2, height: HEIGHT, lefts: [INSET], widths: [WIDTH] };
  };
  return { ...layout, thumbnails: { ...layout, rowAt: thumbnailAt } };
}

function Content({ image, Badges }: ContentProps<AnyImage>) {
  const { t } = useTranslation();
  const format = useFormat();
  const who = useWhoCanOpen();
  const { timeline } = usePreferences();
  const own = isOwn(image) ? image : undefined;
  const date = own?.deleted_at ?? (timeline.startsWith('taken') ? image.taken_at : image.created_at);
  const isSmall = Math.max(WIDTH / image.width, HEIGHT / image.height) > MAX_SCALE;
  const opens = own && who(own.visibility);
  return (
    <>
      <span className={classes.thumbnail} data-small={isSmall || undefined}>
        <Thumbnail image={image} width={WIDTH} height={HEIGHT} className={classes.image} />
      </span>
      <span className={classes.title}>
        <span className={classes.name} title={image.name}>
          {image.name}
        </span>
        {Badges && (
          <span className={classes.badges}>
            <Badges image={image} />
          </span>
        )}
      </span>
      <span className={classes.facts}>
        <span>{`${image.width} × ${image.height}`}</span>
        <span>{format.bytes(image.size)}</span>
        <span>{format.moment(date)}</span>
        <span className={classes.wide} title={opens}>
          {opens}
        </span>
        <span className={classes.wide}>{own && t('duplicates.views', { count: own.views, formatted: format.number(own.views) })}</span>
      </span>
    </>
  );
}

const LOOK: Look<AnyImage> = { layOut: layOutList, Content, list: classes.list ?? '', tile: classes.row ?? '' };

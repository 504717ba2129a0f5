import { IconPlayerPlayFilled } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { clockTime } from '#renderer/i18n/clock.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { type AnyImage, isOwn } from '#renderer/images/list/batch.ts';
import { usePreferences } from '#renderer/preferences/preferences.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import marks from './badges.module.css';
import { Grid, type GridAside } from './grid.tsx';
import { MAX_SCALE } from './keep-size.ts';
import classes from './list-grid.module.css';
import { type ListLayout, layOutList, THUMBNAIL } from './list-layout.ts';
import { Thumbnail } from './thumbnail.tsx';
import type { ContentProps, Look } from './tile.tsx';

/** From this width on, in CSS pixels, facts stand in columns; below, in a second line. The stylesheet has the same number. */
const COLUMNS_FROM = 1040;
const rowSize = (width: number) => ({ gap: 0, target: width < COLUMNS_FROM ? 64 : 52 });

type Props = Omit<ComponentProps<typeof Grid<AnyImage>>, 'rowSize' | 'look'>;

/** The same grid with one image in each row, and what there is to know of it. */
export function ListGrid({ backdrop, ...props }: Props) {
  const below = backdrop && ((grid: GridAside) => backdrop({ ...grid, layout: (grid.layout as ListLayout).thumbnails }));
  return <Grid {...props} {...(below && { backdrop: below })} rowSize={rowSize} look={LOOK} />;
}

function Content({ image, Badges }: ContentProps<AnyImage>) {
  const { t } = useTranslation();
  const format = useFormat();
  const who = useWhoCanOpen();
  const { timeline } = usePreferences();
  const own = isOwn(image) ? image : undefined;
  const date = own?.deleted_at ?? (timeline.startsWith('taken') ? image.taken_at : image.created_at);
  const isSmall = Math.max(THUMBNAIL.width / image.width, THUMBNAIL.height / image.height) > MAX_SCALE;
  // Nobody opens what is in the trash.
  const opens = own && !own.deleted_at ? who(own.visibility) : undefined;
  return (
    <>
      <span className={classes.thumbnail} data-small={isSmall || undefined}>
        <Thumbnail image={image} {...THUMBNAIL} className={classes.image} />
      </span>
      <span className={classes.title}>
        <span className={classes.name} title={image.name}>
          {image.name}
        </span>
        {image.duration !== null && (
          <span className={classes.badges}>
            <span className={marks.moving} aria-hidden>
              <IconPlayerPlayFilled size={10} />
              {clockTime(image.duration)}
            </span>
          </span>
        )}
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

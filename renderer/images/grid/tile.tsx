import { IconCheck, IconLink } from '@tabler/icons-react';
import { type ComponentType, lazy, type MouseEvent, memo, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { pageHref } from '#renderer/images/address.ts';
import type { Frames } from '#renderer/images/list/pages.ts';
import { load } from '#renderer/service/connection.ts';
import classes from './grid.module.css';
import { MAX_SCALE } from './keep-size.ts';
import type { Layout, LayoutOptions } from './layout.ts';
import { Thumbnail } from './thumbnail.tsx';

const Moving = lazy(() => load(() => import('./moving.tsx')).then((module) => ({ default: module.Moving })));

export interface GridImage {
  key: string;
  name: string;
  width: number;
  height: number;
  deleted_at?: string | null;
  ext?: string;
  animated?: boolean;
  duration?: number | null;
  has_password?: boolean;
  max_views?: number;
}

/** Another look of the same grid: where its images are, what is drawn in their tiles, and the classes of both. */
export interface Look<T extends GridImage> {
  layOut: (frames: Frames, options: LayoutOptions) => Layout;
  Content: ComponentType<ContentProps<T>>;
  list: string;
  tile: string;
}

export interface ContentProps<T> {
  image: T;
  Badges: ComponentType<{ image: T }> | undefined;
}

interface Props<T extends GridImage> {
  image: T;
  index: number;
  /** Where it is in the grid, in CSS pixels. */
  left: number;
  top: number;
  width: number;
  height: number;
  label: (image: T) => string;
  look: Look<T> | undefined;
  Badges: ComponentType<{ image: T }> | undefined;
  /** Undefined where images can't be selected. */
  selected: boolean | undefined;
  /** Whether Tab stops here; the arrow keys reach the others. */
  reachable: boolean;
  /** Whether it can be dragged; and if another one is dragged over it, on which side it would be dropped. */
  draggable: boolean;
  drop: 'before' | 'after' | undefined;
  /** A new object moves the focus here. */
  focus: object | undefined;
  onPress: (image: T, event: MouseEvent) => void;
  onSelect: (image: T, event: MouseEvent) => void;
  /** Copies the image's link. */
  onCopy: ((image: T) => void) | undefined;
  onFocus: (index: number) => void;
}

/** Up to this width, in CSS pixels, a tile has no room for a symbol beside the duration. */
const NARROW = 76;

/** Whether it isn't shown to others unasked: then not on hover, either. */
const isLimited = ({ has_password, max_views }: GridImage) => has_password || (max_views ?? 0) > 0;

/** One image of a grid. Memoised, since scrolling renders the grid many times a second. */
export const Tile = memo(GridTile) as typeof GridTile;

function GridTile<T extends GridImage>(props: Props<T>) {
  const {
    image,
    index,
    left,
    top,
    width,
    height,
    label,
    look,
    Badges,
    selected,
    reachable,
    draggable,
    drop,
    focus,
    onPress,
    onSelect,
    onCopy,
    onFocus,
  } = props;
  const { t } = useTranslation();
  const opener = useRef<HTMLAnchorElement>(null);
  const isSmall = Math.max(width / image.width, height / image.height) > MAX_SCALE;
  useEffect(() => {
    if (focus) opener.current?.focus({ preventScroll: true });
  }, [focus]);
  return (
    <div
      className={look ? look.tile : classes.tile}
      style={{ left, top, width, height }}
      data-selected={selected || undefined}
      data-small={isSmall || undefined}
      data-drop={drop}
    >
      {/* A link, so that its page opens in another tab, and the menu of links works. */}
      <a
        ref={opener}
        href={pageHref(image)}
        draggable={draggable}
        className={classes.open}
        data-picture={image.key}
        tabIndex={reachable ? 0 : -1}
        aria-label={label(image)}
        onClick={(event) => onPress(image, event)}
        onFocus={() => onFocus(index)}
      >
        {look ? (
          <look.Content image={image} Badges={Badges} />
        ) : (
          <>
            <Thumbnail image={image} width={width} height={height} className={classes.image} />
            {image.ext && (image.duration || (onCopy && image.animated && !image.deleted_at)) && (
              <Suspense>
                <Moving
                  image={image}
                  ext={image.ext}
                  className={classes.image}
                  isNarrow={width < NARROW}
                  plays={!!onCopy && !image.deleted_at && !isLimited(image)}
                />
              </Suspense>
            )}
            {Badges && <Badges image={image} />}
          </>
        )}
      </a>
      {selected !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: an input doesn't tell a click with Shift apart, which selects a range
        <button
          type="button"
          role="checkbox"
          aria-checked={selected}
          aria-label={t('gallery.select', { name: image.name })}
          className={classes.check}
          tabIndex={-1}
          onClick={(event) => onSelect(image, event)}
        >
          <IconCheck size={16} stroke={3} aria-hidden />
        </button>
      )}
      {onCopy && (
        <button
          type="button"
          aria-label={t('selection.copyLink', { name: image.name })}
          title={t('selection.copyLink', { name: image.name })}
          className={classes.copy}
          tabIndex={reachable ? 0 : -1}
          onClick={() => onCopy(image)}
        >
          <IconLink size={16} stroke={2} aria-hidden />
        </button>
      )}
    </div>
  );
}

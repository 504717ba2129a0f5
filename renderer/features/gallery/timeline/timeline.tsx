import { type ComponentProps, lazy, Suspense, useCallback, useMemo, useRef } from 'react';
import type { Image } from '#api/images/images.ts';
import classes from '#renderer/features/gallery/gallery.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Badges, InAlbumBadge, TrashBadges, useDescribe, useDescribeTrashed } from '#renderer/images/grid/badges.tsx';
import { DayHeading } from '#renderer/images/grid/day-heading.tsx';
import { Grid, type GridAside } from '#renderer/images/grid/grid.tsx';
import { Placeholders } from '#renderer/images/grid/placeholders.tsx';
import type { DragOut } from '#renderer/images/grid/use-drag-out.ts';
import type { Anchor } from '#renderer/images/grid/use-window.ts';
import type { AnyImage } from '#renderer/images/list/batch.ts';
import type { ShownList } from '#renderer/images/list/use-image-list.ts';
import { rowHeight } from '#renderer/images/row-height.ts';
import type { Selection } from '#renderer/images/selection/use-selection.ts';
import { useCopyLink } from '#renderer/images/sharing/copy-links.tsx';
import { usePreferences } from '#renderer/preferences/preferences.ts';
import { load } from '#renderer/service/connection.ts';
import scrubber from './scrubber.module.css';
import { Scrubber } from './scrubber.tsx';

interface Props {
  list: ShownList;
  /** Images of a public album say when visitors don't see them, and those in the trash for how long they are there. */
  shows?: 'publicAlbum' | 'trash' | undefined;
  /** The album that images are being chosen for: those in it say so. */
  chosenFor?: string | undefined;
  selection: Selection<Image>;
  onOpen: (image: Image) => void;
  onRemove: ((images: readonly Image[]) => void) | undefined;
  onMove?: ((image: Image, before: Image | undefined) => void) | undefined;
  dragOut?: DragOut | undefined;
  returnTo: string | undefined;
}

/** The gallery's images, under their days where the order has days. */
export function Timeline({
  list: { frames, images, isPartial, placeholder, loader },
  shows,
  chosenFor,
  selection,
  onRemove,
  onMove,
  ...rest
}: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const copy = useCopyLink();
  const isTrash = shows === 'trash';
  const describe = useDescribe(shows === 'publicAlbum');
  const describeTrashed = useDescribeTrashed();
  const label = useCallback(
    (image: Image) =>
      chosenFor
        ? [image.name, ...(image.albums.includes(chosenFor) ? [t('albums.inAlbum')] : [])].join(t('badges.join'))
        : isTrash
          ? describeTrashed(image)
          : describe(t('gallery.open', { name: image.name, date: format.moment(image.created_at) }), image),
    [t, format, describe, describeTrashed, isTrash, chosenFor],
  );
  const chosen = useMemo(
    () => chosenFor && (({ image }: { image: Image }) => (image.albums.includes(chosenFor) ? <InAlbumBadge /> : null)),
    [chosenFor],
  );
  const backdrop = useCallback((grid: GridAside) => <Placeholders {...grid} find={placeholder} />, [placeholder]);
  return (
    <div className={frames.days && scrubber.beside}>
      <Pictures
        {...rest}
        {...(onRemove && { onRemove })}
        {...(onMove ? { onMove } : { selection })}
        frames={frames}
        images={images}
        backdrop={backdrop}
        Day={DayHeading}
        Aside={isPartial ? undefined : frames.days && Scrubber}
        onShow={loader.show}
        label={t('gallery.timeline')}
        hint={t(isTrash ? 'trash.keys' : onMove ? 'albums.arrangeKeys' : 'gallery.keys')}
        tileLabel={label}
        Badges={chosen || (isTrash ? TrashBadges : shows ? PublicAlbumBadges : Badges)}
        {...(!isTrash && !chosenFor && !onMove && { onCopy: copy })}
      />
    </div>
  );
}

const ListGrid = lazy(() => load(() => import('#renderer/images/grid/list-grid.tsx')).then((module) => ({ default: module.ListGrid })));

type GridProps<T extends AnyImage> = Omit<ComponentProps<typeof Grid<T>>, 'rowSize'>;

/** Images as a grid or as a list, as the user prefers. Arranging needs a grid. */
export function Pictures<T extends AnyImage>(props: GridProps<T>) {
  const { density, layout } = usePreferences();
  const rowSize = useCallback((width: number, phone: boolean) => ({ gap: phone ? 3 : 6, target: rowHeight(density, width) }), [density]);
  // The same pictures stay on the screen when the layout changes.
  const anchor = useRef<Anchor>(undefined);
  if (layout === 'grid' || props.onMove) return <Grid {...props} anchor={anchor} rowSize={rowSize} />;
  return (
    <Suspense fallback={<TimelineSkeleton />}>
      <ListGrid {...(props as unknown as GridProps<AnyImage>)} anchor={anchor} />
    </Suspense>
  );
}

const PublicAlbumBadges = ({ image }: { image: Image }) => <Badges image={image} inPublicAlbum />;

const SKELETON_SHAPES = [1.5, 0.8, 1.3, 1.8, 1, 1.4, 0.7, 1.6, 1.2, 1.5, 0.9, 1.7];

/** A placeholder in the shape of the timeline while the first page loads. */
export function TimelineSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={classes.skeleton} role="status" aria-label={t('common.loading')}>
      {SKELETON_SHAPES.map((shape, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed pattern
        <span key={index} style={{ flexGrow: shape, flexBasis: `${shape * 9}rem` }} />
      ))}
    </div>
  );
}

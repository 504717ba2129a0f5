import { Text, Title } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useMemo } from 'react';
import type { Album } from '#api/albums/albums.ts';
import type { SharedImage } from '#api/albums/pictures.ts';
import { memberImagesQuery, useOrderImages } from '#renderer/albums/members.ts';
import { LoadError, useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useFilters } from '#renderer/features/gallery/filters/search.ts';
import { Tools } from '#renderer/features/gallery/filters/tools.tsx';
import classes from '#renderer/features/gallery/gallery.module.css';
import { NothingFound } from '#renderer/features/gallery/nothing-found.tsx';
import { useTrash } from '#renderer/features/gallery/selection/use-trash.tsx';
import { TimelineSkeleton } from '#renderer/features/gallery/timeline/timeline.tsx';
import { dayOf, useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Snippet } from '#renderer/images/grid/badges.tsx';
import { DayHeading } from '#renderer/images/grid/day-heading.tsx';
import { Grid } from '#renderer/images/grid/grid.tsx';
import { rowHeight } from '#renderer/images/grid/row-height.ts';
import { only } from '#renderer/images/list/batch.ts';
import { hasDays, timeOf } from '#renderer/images/list/view.ts';
import { Opening } from '#renderer/images/viewer/opening.tsx';
import { useOpenImage } from '#renderer/images/viewer/use-open-image.ts';
import { usePreferences } from '#renderer/preferences/preferences.ts';
import { load } from '#renderer/service/connection.ts';

const SharedViewer = lazy(() => load(() => import('./shared-viewer.tsx')).then((module) => ({ default: module.SharedViewer })));

/** Distance to the end of the loaded images at which more are requested. */
const NEAR_END = 80;

interface Props {
  album: Album;
  lead: ReactNode;
  actions: ReactNode;
  note: ReactNode;
  /** Shown while there are no images. */
  empty: ReactNode;
  /** Lets images be moved, and reports where one has gone. */
  onMove: ((moved: { name: string; position: number; total: number }) => void) | undefined;
}

/** The pictures of all members of a shared album. */
export function SharedPictures({ album, lead, actions, note, empty, onMove }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const notifyError = useNotifyError();
  const search = useFilters();
  const { q } = search.filters;
  const { timeline, density } = usePreferences();
  const isArranging = onMove !== undefined;
  // Arranging needs all pictures, in their order.
  const sort = isArranging || album.sorted ? ('album_order' as const) : timeline;
  const view = { sort, ...(!isArranging && q && { q }) } as const;
  const list = useInfiniteQuery({ ...memberImagesQuery(album.id, view), placeholderData: keepPreviousData });
  const rowSize = useCallback((width: number, phone: boolean) => ({ gap: phone ? 3 : 6, target: rowHeight(density, width) }), [density]);
  const order = useOrderImages(album.id);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const images = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const shown = useMemo(
    () => ({
      frames: {
        ratios: images.map(({ width, height }) => (width && height ? width / height : 1)),
        days: hasDays(sort) ? images.map((image) => dayOf(timeOf(image, sort))) : undefined,
      },
      images: {
        count: images.length,
        at: (index: number) => images[index],
        find: (key: string) => images.findIndex((image) => image.key === key),
      },
    }),
    [images, sort],
  );
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const viewer = useOpenImage();
  const tileLabel = useCallback(
    ({ name, added_by, owner }: SharedImage) => t('members.open', { name, who: (added_by ?? owner).username }),
    [t],
  );
  const { trash, question } = useTrash(nothing);
  const move = (image: SharedImage, before: SharedImage | undefined) => {
    order.mutate({ key: image.key, before: before?.key ?? null }, { onError: (error) => notifyError(error) });
    const next = before ? shown.images.find(before.key) : images.length;
    const position = next > shown.images.find(image.key) ? next : next + 1;
    onMove?.({ name: image.name, position, total: album.image_count });
  };
  const opened = images.find(({ key }) => key === viewer.shown);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        {lead}
        <Title order={1} className={classes.title} title={album.name}>
          {album.name}
        </Title>
        {album.image_count > 0 && (
          <Text c="dimmed" size="sm" className={classes.count}>
            {t('gallery.count', { count: album.image_count, formatted: format.number(album.image_count) })}
          </Text>
        )}
        <div className={classes.grow} />
        {!isArranging && album.image_count > 0 && <Tools search={search} inAlbum plain />}
        {actions}
      </header>
      {note}
      {album.description && (
        <Text size="sm" c="dimmed" className={classes.description}>
          {album.description}
        </Text>
      )}
      {list.isPending && <TimelineSkeleton />}
      {list.isError && (
        <LoadError error={list.error} onRetry={() => void (images.length > 0 ? fetchNextPage() : list.refetch())}>
          {images.length === 0 && <TimelineSkeleton />}
        </LoadError>
      )}
      {list.isSuccess && images.length === 0 && (view.q ? <NothingFound onClear={search.clear} /> : empty)}
      {images.length > 0 && (
        <Grid
          frames={shown.frames}
          images={shown.images}
          label={t('publicAlbum.pictures', { album: album.name })}
          hint={t(onMove ? 'albums.arrangeKeys' : 'publicAlbum.keys')}
          rowSize={rowSize}
          Badges={FoundText}
          Day={DayHeading}
          tileLabel={tileLabel}
          returnTo={viewer.returnTo}
          onOpen={viewer.open}
          {...(onMove && { onMove: move })}
          onShow={({ last }) => last >= images.length - NEAR_END && loadMore()}
        />
      )}
      {viewer.shown && opened && (
        <Suspense fallback={<Opening image={opened} onClose={viewer.close} />}>
          <SharedViewer
            album={album}
            images={images}
            shown={viewer.shown}
            searched={view.q}
            hasMore={hasNextPage}
            editing={viewer.editing}
            onEdit={viewer.startEditing}
            onEdited={viewer.stopEditing}
            onShow={viewer.show}
            onClose={viewer.close}
            onRemove={(image, after) => trash(only([image]), after)}
            onNearEnd={loadMore}
          />
        </Suspense>
      )}
      {question}
    </div>
  );
}

const nothing = (): void => undefined;

const FoundText = ({ image: { text_snippet } }: { image: SharedImage }) => text_snippet && <Snippet text={text_snippet} />;

import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import { mayManage } from '#api/albums/find-album.ts';
import { memberImagesQuery, useOrderImages } from '#renderer/albums/members.ts';
import { LoadError, useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useFilters } from '#renderer/features/gallery/filters/search.ts';
import classes from '#renderer/features/gallery/gallery.module.css';
import { GalleryHeader } from '#renderer/features/gallery/gallery-header.tsx';
import { NothingFound } from '#renderer/features/gallery/nothing-found.tsx';
import { SelectedActions, SelectionBar } from '#renderer/features/gallery/selection/selection-bar.tsx';
import { useTrash } from '#renderer/features/gallery/selection/use-trash.tsx';
import { Pictures, TimelineSkeleton } from '#renderer/features/gallery/timeline/timeline.tsx';
import { dayOf, useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Badges, useDescribe } from '#renderer/images/grid/badges.tsx';
import { DayHeading } from '#renderer/images/grid/day-heading.tsx';
import { type AnyImage, type BatchTarget, isOwn, only, targetOf } from '#renderer/images/list/batch.ts';
import { hasDays, type ImageView, timeOf, toQuery } from '#renderer/images/list/view.ts';
import { usePageKeys } from '#renderer/images/selection/use-page-keys.ts';
import { type Selection, useSelection } from '#renderer/images/selection/use-selection.ts';
import { useCopyLink } from '#renderer/images/sharing/copy-links.tsx';
import { Opening } from '#renderer/images/viewer/opening.tsx';
import { useOpenImage } from '#renderer/images/viewer/use-open-image.ts';
import { isTouch } from '#renderer/platform/touch.ts';
import { usePreferences } from '#renderer/preferences/preferences.ts';
import { load } from '#renderer/service/connection.ts';

const SharedViewer = lazy(() => load(() => import('./shared-viewer.tsx')).then((module) => ({ default: module.SharedViewer })));
const AlbumShelf = lazy(() =>
  load(() => import('#renderer/features/gallery/selection/album-shelf.tsx')).then((module) => ({ default: module.AlbumShelf })),
);
const ActiveFilters = lazy(() =>
  load(() => import('#renderer/features/gallery/filters/active-filters.tsx')).then((module) => ({ default: module.ActiveFilters })),
);

/** Distance to the end of the loaded images at which more are requested. */
const NEAR_END = 80;

interface Props {
  album: Album;
  lead: ReactNode;
  actions: ReactNode;
  /** Shown above the images, with what else there is to say about those that are selected. */
  note: (applies: ReactNode) => ReactNode;
  /** Shown while there are no images. */
  empty: ReactNode;
  /** Lets images be moved, and reports where one has gone. */
  onMove: ((moved: { name: string; position: number; total: number }) => void) | undefined;
}

/** The pictures of all members of a shared album. The user's own can be changed as in the gallery; those of others be copied, downloaded and, by managers, removed. */
export function SharedPictures({ album, lead, actions, note, empty, onMove }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const notifyError = useNotifyError();
  const search = useFilters();
  const { timeline } = usePreferences();
  const isArranging = onMove !== undefined;
  // Arranging needs all pictures, in their order.
  const sort = isArranging || album.sorted ? ('album_order' as const) : timeline;
  const view = useMemo<ImageView>(() => (isArranging ? { sort } : { ...search.filters, sort }), [isArranging, search.filters, sort]);
  const list = useInfiniteQuery({ ...memberImagesQuery(album.id, queryOf(view)), placeholderData: keepPreviousData });
  const order = useOrderImages(album.id);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const images = useMemo<AnyImage[]>(() => items.map((item) => item.own ?? item), [items]);
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
  const belonging = useMemo(() => ({ ...OUTSIDE_OF_SETS, dayOf: (image: AnyImage) => dayOf(timeOf(image, sort)) }), [sort]);
  const selection = useSelection(images, { belonging });
  const { remove, clear } = selection;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another view matters
  useEffect(() => clear, [view]);
  const selectAll = async () => {
    let all = list;
    while (all.hasNextPage && !all.isFetchNextPageError) all = await fetchNextPage();
    selection.add(all.data?.pages.flatMap((page) => page.items.map((item) => item.own ?? item)) ?? []);
  };
  const isMore = hasNextPage && search.active === 0 && images.every(selection.has);
  const target = targetOf(selection);
  const forget = useCallback((trashed: BatchTarget) => remove(trashed.images.map(({ key }) => key)), [remove]);
  const { trash, question } = useTrash(forget);
  const trashOwn = (some: readonly AnyImage[]) => {
    const own = some.filter(isOwn);
    if (own.length > 0) trash(only(own));
    else notifications.show({ id: 'owners-only', color: 'orange.8', title: t('members.ownersOnly'), message: undefined });
  };
  const removeSelected = () => trashOwn([...selection.images.values()]);
  usePageKeys({
    images,
    selection,
    onRemove: removeSelected,
    inactive: viewer.shown !== undefined || viewer.opening !== undefined || isArranging,
  });
  const [dragging, setDragging] = useState(false);
  const canDrag = target.images.length > 0 && !isArranging && !isTouch();
  const copy = useCopyLink();
  const describe = useDescribe(album.visibility === 'public');
  const tileLabel = useCallback(
    (image: AnyImage) =>
      describe(
        isOwn(image)
          ? t('gallery.open', { name: image.name, date: format.moment(image.created_at) })
          : t('members.open', { name: image.name, who: (image.added_by ?? image.owner).username }),
        badged(image),
      ),
    [t, format, describe],
  );
  const move = (image: AnyImage, before: AnyImage | undefined) => {
    order.mutate({ key: image.key, before: before?.key ?? null }, { onError: (error) => notifyError(error) });
    const next = before ? shown.images.find(before.key) : images.length;
    const position = next > shown.images.find(image.key) ? next : next + 1;
    onMove?.({ name: image.name, position, total: album.image_count });
  };
  const opened = images.find(({ key }) => key === viewer.shown);
  return (
    <div className={classes.page}>
      {selection.size > 0 && !isArranging ? (
        <SelectionBar
          selection={selection}
          title={album.name}
          total={isMore ? album.image_count : undefined}
          onSelectAll={() => void selectAll()}
        >
          <SelectedActions selection={selection} albumId={album.id} onRemove={removeSelected} />
        </SelectionBar>
      ) : (
        <GalleryHeader
          title={album.name}
          lead={lead}
          actions={actions}
          search={search}
          inAlbum
          found={search.active === 0 || isArranging ? album.image_count : hasNextPage ? undefined : images.length}
          tools={!isArranging && (album.image_count > 0 || search.active > 0)}
        />
      )}
      {search.active > 0 && !isArranging && (
        <Suspense>
          <ActiveFilters search={search} sort={sort} />
        </Suspense>
      )}
      {question}
      {canDrag && (
        <Suspense>
          <AlbumShelf target={target} dragging={dragging} albumId={album.id} onDone={clear} />
        </Suspense>
      )}
      {note(selection.size > 0 && <WhatApplies selection={selection} manages={mayManage(album)} />)}
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
      {list.isSuccess && images.length === 0 && (search.active > 0 ? <NothingFound search={search} /> : empty)}
      {images.length > 0 && (
        <Pictures<AnyImage>
          frames={shown.frames}
          images={shown.images}
          label={t('publicAlbum.pictures', { album: album.name })}
          hint={t(isArranging ? 'albums.arrangeKeys' : 'gallery.keys')}
          Badges={album.visibility === 'public' ? PublicAlbumBadges : AlbumBadges}
          Day={DayHeading}
          tileLabel={tileLabel}
          returnTo={viewer.returnTo}
          onOpen={viewer.open}
          {...(isArranging
            ? { onMove: move }
            : { selection, onCopy: copy, onRemove: (some) => (selection.size > 0 ? removeSelected() : trashOwn(some)) })}
          dragOut={
            canDrag
              ? {
                  label: t('selection.selected', { count: target.images.length, formatted: format.number(target.images.length) }),
                  onDrag: setDragging,
                }
              : undefined
          }
          onShow={({ last }) => last >= images.length - NEAR_END && loadMore()}
        />
      )}
      {viewer.shown && opened && (
        <Suspense fallback={<Opening image={opened} onClose={viewer.close} />}>
          <SharedViewer
            album={album}
            images={items}
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
    </div>
  );
}

/** All pictures are selected one by one: the service has no sets of other members' pictures. */
const OUTSIDE_OF_SETS = { spanOf: () => ({ from: '', to: '' }), timeOf: () => '', addedAt: () => '' };

function queryOf(view: ImageView) {
  const { favourite, sort, album_id: _, ...query } = toQuery(view);
  // The trash isn't an album.
  return { ...query, sort: sort as Exclude<typeof sort, 'deleted_desc'>, favourite: favourite && ('true' as const) };
}

/** Of others' pictures, nobody else is told what restricts them. */
const badged = (image: AnyImage) =>
  isOwn(image) ? image : { ...image, visibility: 'public' as const, has_password: false, favourite: false };

const AlbumBadges = ({ image }: { image: AnyImage }) => <Badges image={badged(image)} />;
const PublicAlbumBadges = ({ image }: { image: AnyImage }) => <Badges image={badged(image)} inPublicAlbum />;

/** Says which of the selected pictures the actions apply to, unless that is all of them. */
function WhatApplies({ selection, manages }: { selection: Selection<AnyImage>; manages: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const own = [...selection.images.values()].filter(isOwn).length;
  if (own === selection.size) return null;
  const total = { count: own, formatted: format.number(own), total: format.number(selection.size) };
  return (
    <Text size="sm" c="dimmed" role="status">
      {own > 0 ? t('members.someOwn', total) : t('members.noneOwn')} {own > 0 && manages && t('members.removeAny')}
    </Text>
  );
}

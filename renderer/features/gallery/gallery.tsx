import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import type { Image } from '#api/images/images.ts';
import { LoadError } from '#renderer/components/notices/notice.tsx';
import { useFilters } from '#renderer/features/gallery/filters/search.ts';
import { SelectedActions, SelectionBar } from '#renderer/features/gallery/selection/selection-bar.tsx';
import { useTrash } from '#renderer/features/gallery/selection/use-trash.tsx';
import { useViewSelection } from '#renderer/features/gallery/selection/use-view-selection.ts';
import { Arrivals } from '#renderer/features/gallery/timeline/arrivals.tsx';
import { Timeline, TimelineSkeleton } from '#renderer/features/gallery/timeline/timeline.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { GridEnd, SHORT_LIST } from '#renderer/images/grid/grid.tsx';
import { type BatchTarget, only, targetOf } from '#renderer/images/list/batch.ts';
import { imageListQuery } from '#renderer/images/list/list.ts';
import { useImageList, useRun } from '#renderer/images/list/use-image-list.ts';
import type { ImageView } from '#renderer/images/list/view.ts';
import { usePageKeys } from '#renderer/images/selection/use-page-keys.ts';
import type { Selection } from '#renderer/images/selection/use-selection.ts';
import { Opening } from '#renderer/images/viewer/opening.tsx';
import { useOpenImage } from '#renderer/images/viewer/use-open-image.ts';
import { isTouch } from '#renderer/platform/touch.ts';
import { usePreferences } from '#renderer/preferences/preferences.ts';
import { load } from '#renderer/service/connection.ts';
import { useLoadWhenIdle } from '#renderer/service/idle.ts';
import classes from './gallery.module.css';
import { GalleryHeader } from './gallery-header.tsx';

const loadViewer = () => load(() => import('./viewer/viewer.tsx')).then((module) => ({ default: module.Viewer }));
const Viewer = lazy(loadViewer);
const AlbumShelf = lazy(() => load(() => import('./selection/album-shelf.tsx')).then((module) => ({ default: module.AlbumShelf })));
const ActiveFilters = lazy(() =>
  load(() => import('#renderer/features/gallery/filters/active-filters.tsx')).then((module) => ({ default: module.ActiveFilters })),
);
const NothingFound = lazy(() => load(() => import('./nothing-found.tsx')).then((module) => ({ default: module.NothingFound })));

/** Where an image is moved to in its album. */
export interface Destination {
  /** The image that will follow; undefined: none. */
  before: Image | undefined;
  /** Counted from 1. */
  position: number;
  total: number;
}

interface Props {
  /** Shows only this album's images. */
  albumId?: string;
  /** The heading; `lead` and `actions` are shown before and after it. */
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** Whether it is an album that visitors may see; `note` is shown above its images. */
  inPublicAlbum?: boolean;
  note?: ReactNode;
  /** Shown while there are no images. */
  empty: ReactNode;
  /** Shows the album in its own order, whatever the user's usual order is; `onMove` lets it be changed. */
  ownOrder?: boolean;
  onMove?: ((image: Image, to: Destination) => void) | undefined;
  /** Lets images be chosen for an album and nothing else; `action` is what then happens to them. */
  picking?: { albumId: string; action: (selection: Selection<Image>) => ReactNode };
}

/** Images in a timeline, with search, selection and the viewer. */
export function Gallery({ albumId, title, lead, actions, inPublicAlbum = false, note, empty, ownOrder = false, onMove, picking }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { timeline } = usePreferences();
  const search = useFilters();
  const view = useMemo<ImageView>(() => {
    const album_id = albumId ?? search.filters.album_id;
    return { ...search.filters, album_id, sort: ownOrder ? 'album_order' : timeline };
  }, [search.filters, albumId, timeline, ownOrder]);
  const list = useQuery(imageListQuery(view));
  const shown = useImageList(view, list.data);
  const { loaded: images, isPartial, frames } = shown;
  const count = frames.ratios.length;
  const { selection, total, selectAll } = useViewSelection(view, list.data, shown);
  const { remove, clear } = selection;
  const forget = useCallback(
    (target: BatchTarget) => (target.sets.length ? clear() : remove(target.images.map(({ key }) => key))),
    [clear, remove],
  );
  const { trash, question } = useTrash(forget);
  const removeOne = useCallback((some: readonly Image[], after?: () => void) => trash(only(some), after), [trash]);
  const removeSelected = () => trash(targetOf(selection));
  const viewer = useOpenImage();
  const run = useRun(list.data, shown, viewer.shown);
  const move = (image: Image, before: Image | undefined) => {
    const next = before ? shown.images.find(before.key) : count;
    const position = next > shown.images.find(image.key) ? next : next + 1;
    onMove?.(image, { before, position, total: count });
  };
  const [dragging, setDragging] = useState(false);
  // With a finger, it would be a long press, which selects.
  const canDrag = selection.size > 0 && !picking && !onMove && !isTouch();
  const selected = { count: selection.size, formatted: format.number(selection.size) };
  const bare = list.isSuccess && count === 0;
  useLoadWhenIdle(loadViewer);
  usePageKeys({
    images,
    selection,
    onRemove: picking ? undefined : removeSelected,
    inactive: viewer.shown !== undefined || viewer.opening !== undefined || onMove !== undefined,
  });
  return (
    <div className={classes.page}>
      {selection.size > 0 && !picking ? (
        <SelectionBar selection={selection} title={title} total={total} onSelectAll={selectAll}>
          <SelectedActions selection={selection} albumId={albumId} onRemove={removeSelected} />
        </SelectionBar>
      ) : (
        <GalleryHeader
          title={title}
          lead={lead}
          actions={picking ? picking.action(selection) : actions}
          search={search}
          inAlbum={albumId !== undefined}
          found={list.isSuccess && !isPartial ? count : undefined}
          tools={!bare || search.active > 0}
        />
      )}
      {search.active > 0 && (
        <Suspense>
          <ActiveFilters search={search} sort={view.sort} />
        </Suspense>
      )}
      {question}
      {canDrag && (
        <Suspense>
          <AlbumShelf target={targetOf(selection)} dragging={dragging} albumId={albumId} onDone={clear} />
        </Suspense>
      )}
      <Arrivals view={view} />
      {list.data?.similar?.length ? <Similar typed={view.q ?? ''} words={list.data.similar} /> : null}
      {note}
      {list.isPending && <TimelineSkeleton />}
      {list.isError && (
        <LoadError error={list.error} onRetry={() => list.refetch()}>
          <TimelineSkeleton />
        </LoadError>
      )}
      {bare &&
        (search.active ? (
          <Suspense>
            <NothingFound search={search} />
          </Suspense>
        ) : (
          empty
        ))}
      {count > 0 && (
        <Timeline
          list={shown}
          shows={inPublicAlbum ? 'publicAlbum' : undefined}
          chosenFor={picking?.albumId}
          selection={selection}
          onOpen={picking ? selection.toggle : viewer.open}
          onRemove={picking ? undefined : (some) => (selection.size ? removeSelected() : removeOne(some))}
          onMove={onMove && move}
          dragOut={canDrag ? { label: t('selection.selected', selected), onDrag: setDragging } : undefined}
          returnTo={viewer.returnTo}
        />
      )}
      {count > SHORT_LIST && !isPartial && <GridEnd>{t(albumId || search.active ? 'gallery.end' : 'gallery.endOfLibrary')}</GridEnd>}
      {viewer.opening && !viewer.shown && <Opening image={viewer.opening} details onClose={viewer.close} />}
      {viewer.shown && (
        <Suspense fallback={viewer.opening && <Opening image={viewer.opening} details onClose={viewer.close} />}>
          <Viewer
            images={run.images}
            start={run.start}
            count={count}
            view={view}
            shown={viewer.shown}
            editing={viewer.editing}
            onEdit={viewer.startEditing}
            onEdited={viewer.stopEditing}
            onShow={viewer.show}
            onClose={viewer.close}
            onRemove={removeOne}
            onLoadAround={run.loadAround}
          />
        </Suspense>
      )}
    </div>
  );
}

function Similar({ typed, words }: { typed: string; words: readonly string[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Text size="sm" c="dimmed" role="status" className={classes.similar}>
      {t('library.similar', { typed, words: format.list(words.map((word) => `“${word}”`)) })}
    </Text>
  );
}

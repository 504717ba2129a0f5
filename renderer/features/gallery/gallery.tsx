import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState, ErrorNotice } from '#renderer/components/notice.tsx';
import { GridEnd } from '#renderer/images/grid.tsx';
import { imageListQuery } from '#renderer/images/list.ts';
import { useOpenImage } from '#renderer/images/use-open-image.ts';
import { usePages } from '#renderer/images/use-pages.ts';
import { useSelection } from '#renderer/images/use-selection.ts';
import type { ImageView } from '#renderer/images/view.ts';
import { usePreferences } from '#renderer/preferences.ts';
import { load } from '#renderer/service/connection.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './gallery.module.css';
import { GalleryHeader } from './gallery-header.tsx';
import { useFilters } from './search.ts';
import { SelectionBar } from './selection-bar.tsx';
import { TimelineSkeleton } from './skeleton.tsx';
import { Timeline } from './timeline.tsx';
import { useFreshness } from './use-freshness.ts';
import { useTrash } from './use-trash.tsx';

const Viewer = lazy(() => load(() => import('./viewer/viewer.tsx')).then((module) => ({ default: module.Viewer })));
const ActiveFilters = lazy(() => load(() => import('./active-filters.tsx')).then((module) => ({ default: module.ActiveFilters })));

interface Props {
  /** Shows only this album's images. */
  albumId?: string;
  /** The heading; `lead` and `actions` are shown before and after it. */
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** Shown while there are no images. */
  empty: ReactNode;
}

/** Images in a timeline, with search, selection and the viewer. */
export function Gallery({ albumId, title, lead, actions, empty }: Props) {
  const { t } = useTranslation();
  const explain = useExplain();
  const { timeline } = usePreferences();
  const search = useFilters();
  const view = useMemo<ImageView>(() => {
    const album_id = albumId ?? search.filters.album_id;
    return { ...search.filters, album_id, sort: timeline };
  }, [search.filters, albumId, timeline]);
  const list = useInfiniteQuery(imageListQuery(view));
  const { pages, images, loadMore } = usePages(list);
  const selection = useSelection(images);
  const trash = useTrash(selection.remove);
  const viewer = useOpenImage();
  useFreshness(view);
  const { hasNextPage, fetchNextPage } = list;
  const bare = list.isSuccess && !images.length;
  return (
    <div className={classes.page}>
      {selection.images.size > 0 ? (
        <SelectionBar selection={selection} title={title} albumId={albumId} onRemove={trash} />
      ) : (
        <GalleryHeader
          title={title}
          lead={lead}
          actions={actions}
          search={search}
          inAlbum={albumId !== undefined}
          found={list.isSuccess ? `${images.length}${hasNextPage ? '+' : ''}` : undefined}
          tools={!bare || search.active > 0}
        />
      )}
      {search.active > 0 && (
        <Suspense>
          <ActiveFilters search={search} />
        </Suspense>
      )}
      {list.isPending && <TimelineSkeleton />}
      {list.isError && <ErrorNotice explanation={explain(list.error)} onRetry={() => (images.length ? fetchNextPage() : list.refetch())} />}
      {bare && (search.active ? <NothingFound onClear={search.clear} /> : empty)}
      {images.length > 0 && (
        <Timeline
          pages={pages}
          timeline={timeline}
          selection={selection}
          onOpen={viewer.open}
          onRemove={trash}
          onNearEnd={loadMore}
          returnTo={viewer.returnTo}
        />
      )}
      {images.length > 0 && !hasNextPage && <GridEnd>{t('gallery.end')}</GridEnd>}
      {viewer.shown && (
        <Suspense>
          <Viewer
            images={images}
            view={view}
            more={hasNextPage}
            shown={viewer.shown}
            onShow={viewer.show}
            onClose={viewer.close}
            onRemove={trash}
            onNearEnd={loadMore}
          />
        </Suspense>
      )}
    </div>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState art={null} title={t('library.nothing')} text={t('library.nothingText')}>
      <Button variant="default" mt="md" onClick={onClear}>
        {t('library.showAll')}
      </Button>
    </EmptyState>
  );
}

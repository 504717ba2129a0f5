import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { imageListQuery } from '../../images/list.ts';
import { usePreferences } from '../../preferences.ts';
import { load } from '../../service/connection.ts';
import { useExplain } from '../../service/explain.ts';
import { EmptyGallery } from './empty-gallery.tsx';
import classes from './gallery.module.css';
import { GalleryHeader } from './gallery-header.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { TimelineSkeleton } from './skeleton.tsx';
import { Timeline } from './timeline.tsx';
import { useConfirmRemoval } from './use-confirm-removal.tsx';
import { useFreshness } from './use-freshness.ts';
import { useSelection } from './use-selection.ts';

const Viewer = lazy(() => load(() => import('./viewer/viewer.tsx')).then((module) => ({ default: module.Viewer })));
const route = getRouteApi('/member/');

/** All of a person's pictures, newest first. */
export function GalleryPage() {
  const { t } = useTranslation();
  const explain = useExplain();
  const { timeline } = usePreferences();
  const list = useInfiniteQuery(imageListQuery(timeline));
  const pages = useMemo(() => list.data?.pages.map((page) => page.items) ?? [], [list.data]);
  const images = useMemo(() => pages.flat(), [pages]);
  const selection = useSelection(images);
  const removal = useConfirmRemoval(selection.remove);
  const viewer = useViewer();
  useFreshness(timeline);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  return (
    <div className={classes.page}>
      {selection.images.size > 0 ? <SelectionBar selection={selection} onRemove={removal.ask} /> : <GalleryHeader empty={!images.length} />}
      {list.isPending && <TimelineSkeleton />}
      {list.isError && <ErrorNotice explanation={explain(list.error)} onRetry={() => (images.length ? fetchNextPage() : list.refetch())} />}
      {list.isSuccess && !images.length && <EmptyGallery />}
      {images.length > 0 && (
        <Timeline
          pages={pages}
          timeline={timeline}
          selection={selection}
          onOpen={viewer.open}
          onRemove={removal.ask}
          onNearEnd={loadMore}
          returnTo={viewer.returnTo}
        />
      )}
      {images.length > 0 && !hasNextPage && <p className={classes.end}>{t('gallery.end')}</p>}
      {viewer.shown && (
        <Suspense>
          <Viewer
            images={images}
            shown={viewer.shown}
            onShow={viewer.show}
            onClose={viewer.close}
            onRemove={removal.ask}
            onNearEnd={loadMore}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Which picture is open. It stands in the address, so that Back closes it and a reload keeps it. */
function useViewer() {
  const { picture } = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const openedHere = useRef(false);
  const [returnTo, setReturnTo] = useState<string>();
  const open = useCallback(
    ({ key }: Image) => {
      openedHere.current = true;
      void navigate({ search: { picture: key }, resetScroll: false });
    },
    [navigate],
  );
  const show = useCallback((key: string) => void navigate({ search: { picture: key }, replace: true, resetScroll: false }), [navigate]);
  const close = useCallback(
    (last: string) => {
      setReturnTo(last);
      if (openedHere.current) router.history.back();
      else void navigate({ search: {}, replace: true, resetScroll: false });
      openedHere.current = false;
    },
    [navigate, router],
  );
  return { shown: picture, returnTo, open, show, close };
}

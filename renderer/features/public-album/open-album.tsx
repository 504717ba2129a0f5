import { IconDownload, IconPhoto, IconPlayerPlay } from '@tabler/icons-react';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { OpenPublicAlbum, PublicAlbumImage } from '#api/albums/albums.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { PublicCard } from '#renderer/components/layout/public-frame.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Grid, GridEnd, type RowSize, SHORT_LIST } from '#renderer/images/grid/grid.tsx';
import type { GridImage } from '#renderer/images/grid/tile.tsx';
import type { GridImages } from '#renderer/images/grid-images.ts';
import type { Frames } from '#renderer/images/list/pages.ts';
import { Opening } from '#renderer/images/viewer/opening.tsx';
import { Button, ButtonLink } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import { load } from '#renderer/service/connection.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './album.module.css';
import { albumImagesQuery } from './queries.ts';

const AlbumViewer = lazy(() => load(() => import('./album-viewer.tsx')).then((module) => ({ default: module.AlbumViewer })));

/** Distance to the end of the loaded images at which more are requested. */
const NEAR_END = 80;

const rowSize: RowSize = (width, phone) => ({ gap: phone ? 3 : 8, target: phone ? 150 : width > 2200 ? 360 : 260 });

/** An album that is open to this viewer. */
export function OpenAlbum({ album }: { album: OpenPublicAlbum }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const list = useInfiniteQuery(albumImagesQuery(album.id));
  const { images, loadMore } = usePages(list);
  const shown = useLoadedList(images);
  const viewer = useOpenPicture();
  const shownImage = images.find(({ key }) => key === viewer.shown);
  const tileLabel = useCallback(({ name }: PublicAlbumImage) => t('publicAlbum.open', { name }), [t]);
  const { hasNextPage, fetchNextPage } = list;
  const [plays, setPlays] = useState(false);
  const [first, second] = images;
  const play = () => {
    setPlays(true);
    if (first) viewer.open(first);
  };
  const { open: openViewer } = viewer;
  const open = useCallback(
    (image: PublicAlbumImage) => {
      setPlays(false);
      openViewer(image);
    },
    [openViewer],
  );
  return (
    <div className={classes.page}>
      <AlbumHeader album={album} onPlay={second && play} />
      {list.isSuccess && !images.length && (
        <PublicCard
          art={<IconPhoto size={40} stroke={1.4} />}
          title={t('publicAlbum.emptyTitle')}
          text={t('publicAlbum.emptyText')}
          order={2}
        />
      )}
      {images.length > 0 && (
        <Grid
          frames={shown.frames}
          images={shown.images}
          label={t('publicAlbum.pictures', { album: album.name })}
          hint={t('publicAlbum.keys')}
          rowSize={rowSize}
          tileLabel={tileLabel}
          returnTo={viewer.returnTo}
          onOpen={open}
          onShow={({ last }) => last >= images.length - NEAR_END && loadMore()}
        />
      )}
      {list.isError && <ErrorNotice explanation={explain(list.error)} onRetry={() => (images.length ? fetchNextPage() : list.refetch())} />}
      {(hasNextPage || images.length > SHORT_LIST) && !list.isError && (
        <GridEnd role="status">{hasNextPage ? t('publicAlbum.more') : t('publicAlbum.end')}</GridEnd>
      )}
      {viewer.shown && shownImage && (
        <Suspense fallback={<Opening image={shownImage} onClose={viewer.close} />}>
          <AlbumViewer
            images={images}
            total={album.image_count}
            shown={viewer.shown}
            onShow={viewer.show}
            onClose={viewer.close}
            onNearEnd={loadMore}
            plays={plays}
          />
        </Suspense>
      )}
    </div>
  );
}

/** @param onPlay starts a slideshow; absent without pictures for one */
function AlbumHeader({ album, onPlay }: { album: OpenPublicAlbum; onPlay: (() => void) | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <header className={classes.header}>
      <div className={classes.about}>
        <h1 dir="auto">{album.name}</h1>
        {album.description && <p className={classes.description}>{album.description}</p>}
        <p className={classes.facts}>
          {t('publicAlbum.count', { count: album.image_count, formatted: format.number(album.image_count) })} ·{' '}
          {format.date(album.created_at)}
        </p>
        {album.limited_count > 0 && (
          <p className={classes.facts}>
            {t('publicAlbum.limited', { count: album.limited_count, formatted: format.number(album.limited_count) })}
          </p>
        )}
      </div>
      <div className={classes.actions}>
        {onPlay && (
          <Button variant="default" icon={<IconPlayerPlay size={18} />} onClick={onPlay}>
            {t('publicAlbum.slideshow')}
          </Button>
        )}
        {album.can_download && album.image_count > 0 && (
          <ButtonLink variant="default" icon={<IconDownload size={18} />} href={`/api/v1/a/${album.id}/download`} download>
            {t('publicAlbum.downloadAll')}
          </ButtonLink>
        )}
        <CopyButton
          isLink
          wide
          text={window.location.origin + window.location.pathname}
          label={t('publicAlbum.copyAlbum')}
          words={t('publicAlbum.copyLink')}
        />
      </div>
    </header>
  );
}

/** A list whose images are all loaded, or whose length is unknown, as a grid shows it. */
function useLoadedList<T extends GridImage>(images: readonly T[]): { frames: Frames; images: GridImages<T> } {
  return useMemo(
    () => ({
      frames: { ratios: images.map(({ width, height }) => (width && height ? width / height : 1)), days: undefined },
      images: { count: images.length, at: (index) => images[index], find: (key) => images.findIndex((image) => image.key === key) },
    }),
    [images],
  );
}

/** The loaded pages of a list, their images, and a function that loads the next page, unless there is none or it is on its way. */
function usePages<T>(list: UseInfiniteQueryResult<InfiniteData<{ items: T[] }>>) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const pages = useMemo(() => data?.pages.map(({ items }) => items) ?? [], [data]);
  const images = useMemo(() => pages.flat(), [pages]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  return { pages, images, loadMore };
}

/** The key of the image in the page's address. */
const inAddress = () => new URLSearchParams(location.search).get('picture') ?? undefined;
const addressOf = (key: string | undefined) => (key ? `?picture=${encodeURIComponent(key)}` : location.pathname);

/** The image that the viewer shows. It is part of the address, so that Back closes the viewer and a reload keeps it open. */
function useOpenPicture() {
  const [shown, setShown] = useState(inAddress);
  const [returnTo, setReturnTo] = useState<string>();
  const openedHere = useRef(false);
  const latest = useRef(shown);
  latest.current = shown;
  useEffect(() => {
    const follow = () => {
      const now = inAddress();
      if (!now) setReturnTo(latest.current);
      setShown(now);
    };
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const open = useCallback(({ key }: { key: string }) => {
    openedHere.current = true;
    history.pushState(null, '', addressOf(key));
    setShown(key);
  }, []);
  const show = useCallback((key: string) => {
    history.replaceState(null, '', addressOf(key));
    setShown(key);
  }, []);
  const close = useCallback(() => {
    // Back leads to the album where the visitor came from there; `popstate` then closes the viewer.
    if (openedHere.current) history.back();
    else {
      setReturnTo(latest.current);
      history.replaceState(null, '', addressOf(undefined));
      setShown(undefined);
    }
    openedHere.current = false;
  }, []);
  return { shown, returnTo, open, show, close };
}

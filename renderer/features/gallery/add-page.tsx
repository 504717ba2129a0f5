import { Button } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Album } from '#api/albums/albums.ts';
import { mayAdd } from '#api/albums/find-album.ts';
import type { Image } from '#api/images/images.ts';
import { useAlbum } from '#renderer/albums/albums.ts';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState, ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { targetOf } from '#renderer/images/list/batch.ts';
import type { Selection } from '#renderer/images/selection/use-selection.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { BackLink } from './back-link.tsx';
import classes from './gallery.module.css';
import { Gallery } from './gallery.tsx';
import { useApply } from './selection/use-apply.tsx';

const route = getRouteApi('/member/albums/$albumId/add');

/** All images, to choose those that an album should have. */
export function AddPage() {
  const { t } = useTranslation();
  const explain = useExplain();
  const { albumId } = route.useParams();
  const { album: found, isGone, error, refetch } = useAlbum(albumId);
  const album = found && mayAdd(found) ? found : undefined;
  const gone = isGone || (found && !album);
  const title = album ? t('albums.addTitle', { name: album.name }) : t(gone ? 'albums.gone' : 'albums.addPictures');
  usePageTitle(title);
  if (error) return <ErrorNotice explanation={explain(error)} onRetry={() => void refetch()} />;
  if (gone) return <EmptyState art={null} title={title} text={t('albums.goneText')} />;
  return (
    <Gallery
      title={title}
      lead={<BackLink to={`/albums/${albumId}`} label={t('common.cancel')} />}
      picking={{ albumId, action: (selection) => album && <AddButton album={album} selection={selection} /> }}
      empty={
        <EmptyState art={<IconPhotoPlus size={48} stroke={1.2} aria-hidden />} title={t('albums.nothing')} text={t('albums.nothingToAdd')}>
          <Button component={Link} to={`/albums/${albumId}`} mt="md">
            {t('common.cancel')}
          </Button>
        </EmptyState>
      }
    />
  );
}

function AddButton({ album, selection }: { album: Album; selection: Selection<Image> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const apply = useApply(targetOf(selection), selection.clear);
  const add = () => {
    apply({ action: 'album_add', album_id: album.id, album: album.name });
    void navigate({ to: '/albums/$albumId', params: { albumId: album.id } });
  };
  const count = selection.size;
  return (
    <Button size="sm" className={classes.fixed} disabled={count === 0} onClick={add}>
      {count === 0 ? t('albums.addNone') : t('albums.addSome', { count, formatted: format.number(count) })}
    </Button>
  );
}

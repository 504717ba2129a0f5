import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconPhotoOff, IconPhotoPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AlbumActions } from '#renderer/albums/album-actions.tsx';
import { albumsQuery } from '#renderer/albums/albums.ts';
import { PublicCard, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState, ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import { isTouch } from '#renderer/touch.ts';
import { useChooseFiles } from '#renderer/upload/sources/intake.tsx';
import { useUploadsInto } from '#renderer/upload/sources/target.ts';
import classes from './gallery.module.css';
import { Gallery } from './gallery.tsx';
import { HiddenNote } from './hidden-note.tsx';

const route = getRouteApi('/member/albums/$albumId');

/** One album, as a gallery of its images. */
export function AlbumPage() {
  const { t } = useTranslation();
  const explain = useExplain();
  const { albumId } = route.useParams();
  const navigate = useNavigate();
  const choose = useChooseFiles();
  const albums = useQuery(albumsQuery);
  const album = albums.data?.find(({ id }) => id === albumId);
  const gone = albums.isSuccess && !album;
  usePageTitle(gone ? t('albums.gone') : album?.name);
  const isPublic = album?.visibility === 'public';
  useUploadsInto(gone ? undefined : albumId);
  if (albums.isError) return <ErrorNotice explanation={explain(albums.error)} onRetry={() => albums.refetch()} />;
  if (gone)
    return (
      <PublicCard art={<IconPhotoOff size={40} stroke={1.4} />} title={t('albums.gone')} text={t('albums.goneText')}>
        <Button component={Link} to="/albums" mt="lg">
          {t('albums.toAlbums')}
        </Button>
      </PublicCard>
    );
  return (
    <Gallery
      key={albumId}
      albumId={albumId}
      title={album?.name ?? t('albums.title')}
      lead={
        <ActionIcon
          component={Link}
          to="/albums"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('albums.toAlbums')}
          className={classes.lead}
        >
          <IconArrowLeft size={20} />
        </ActionIcon>
      }
      actions={album && <AlbumActions album={album} labelled={classes.labelled ?? ''} onDeleted={() => void navigate({ to: '/albums' })} />}
      inPublicAlbum={isPublic}
      note={isPublic && <HiddenNote albumId={albumId} />}
      empty={
        <EmptyState
          art={<IconPhotoPlus size={48} stroke={1.2} aria-hidden />}
          title={t('albums.emptyAlbum')}
          text={t(isTouch() ? 'albums.emptyAlbumTextTouch' : 'albums.emptyAlbumText')}
        >
          <Button mt="md" onClick={choose}>
            {t('gallery.emptyChoose')}
          </Button>
          <Button component={Link} to="/" mt="md" variant="subtle">
            {t('app.toPictures')}
          </Button>
        </EmptyState>
      }
    />
  );
}

import { ActionIcon, Anchor, Button } from '@mantine/core';
import { IconArrowLeft, IconEyeOff, IconPhotoOff, IconPhotoPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AlbumActions } from '#renderer/albums/album-actions.tsx';
import { albumsQuery, hiddenQuery } from '#renderer/albums/albums.ts';
import { PublicCard, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState, ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { isTouch } from '#renderer/platform/touch.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useChooseFiles } from '#renderer/upload/sources/intake.tsx';
import { useUploadsInto } from '#renderer/upload/sources/target.ts';
import classes from './gallery.module.css';
import { Gallery } from './gallery.tsx';

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

const REASONS = ['private', 'password_protected', 'view_limited', 'expired'] as const;

/** Tells the owner of a public album how many of its pictures visitors don't see, and why. */
function HiddenNote({ albumId }: { albumId: string }) {
  const { t } = useTranslation();
  const { data: counts } = useQuery(hiddenQuery(albumId));
  const total = counts ? REASONS.reduce((sum, reason) => sum + counts[reason], 0) : 0;
  if (!counts || total === 0) return null;
  return (
    <div className={classes.note} role="note">
      <IconEyeOff size={20} aria-hidden />
      <div>
        <p>{t('hidden.title', { count: total })}</p>
        <ul>
          {REASONS.filter((reason) => counts[reason] > 0).map((reason) => (
            <li key={reason}>
              {t(`hidden.${reason}`, { count: counts[reason] })}
              {reason === 'expired' && (
                <>
                  {' · '}
                  <Anchor component={Link} to="/trash" inherit underline="always" className={classes.noteLink}>
                    {t('viewer.lookInTrash')}
                  </Anchor>
                </>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

import { Button, Skeleton, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlbum, IconPlus, IconSend, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { AlbumForm } from '#renderer/albums/album-form.tsx';
import { albumsQuery, sharedAlbumsQuery } from '#renderer/albums/albums.ts';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState, LoadError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { unseenQuery } from '#renderer/service/sent.ts';
import { AlbumCard } from './album-card.tsx';
import { AlbumGrid } from './album-grid.tsx';
import classes from './albums.module.css';

/** All albums of the signed-in user, and those that others share with them. */
export function AlbumsPage() {
  const { t } = useTranslation();
  usePageTitle(t('albums.title'));
  const navigate = useNavigate();
  const [creating, { open, close }] = useDisclosure(false);
  const { data: albums, isPending, error, refetch } = useQuery(albumsQuery);
  const { data: shared = [] } = useQuery(sharedAlbumsQuery);
  const heading = shared.length > 0 ? 'h3' : 'h2';
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Title order={1}>{t('albums.title')}</Title>
        {albums && albums.length > 0 && (
          <Text c="dimmed" size="sm" className={classes.count}>
            {albums.length}
          </Text>
        )}
        <div className={classes.grow} />
        <Link to="/team" className={classes.team} aria-label={t('team.title')} title={t('team.title')}>
          <IconUsers size={20} stroke={1.7} aria-hidden />
          <span>{t('team.title')}</span>
        </Link>
        <Button leftSection={<IconPlus size={18} />} onClick={open}>
          {t('albums.new')}
        </Button>
      </header>
      <SentLink />
      {isPending && <Loading />}
      {error && (
        <LoadError error={error} onRetry={() => void refetch()}>
          <Loading />
        </LoadError>
      )}
      {albums?.length === 0 && shared.length === 0 && (
        <EmptyState art={<IconAlbum size={48} stroke={1.2} aria-hidden />} title={t('albums.empty')} text={t('albums.emptyText')} />
      )}
      {albums && albums.length > 0 && (
        <>
          {shared.length > 0 && (
            <Title order={2} className={classes.section}>
              {t('members.own')}
            </Title>
          )}
          <AlbumGrid albums={albums} heading={heading} />
        </>
      )}
      {shared.length > 0 && (
        <section aria-labelledby="shared-albums">
          <Title order={2} id="shared-albums" className={classes.section}>
            {t('members.shared')}
          </Title>
          <ul className={classes.grid} aria-labelledby="shared-albums">
            {shared.map((album) => (
              <li key={album.id}>
                <AlbumCard album={album} heading={heading} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <AlbumForm
        opened={creating}
        onClose={close}
        onCreated={({ id }) => void navigate({ to: '/albums/$albumId', params: { albumId: id } })}
      />
    </div>
  );
}

/** On phones, whose navigation has no room for it. */
function SentLink() {
  const { t } = useTranslation();
  const { data: unseen = 0 } = useQuery(unseenQuery);
  return (
    <Link to="/sent" className={classes.sent}>
      <IconSend size={20} stroke={1.7} aria-hidden />
      {t('sentPictures.pageTitle')}
      {unseen > 0 && <span>{unseen}</span>}
    </Link>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div className={classes.grid} role="status" aria-label={t('common.loading')}>
      {[1, 2, 3, 4].map((place) => (
        <Skeleton key={place} className={classes.cover} />
      ))}
    </div>
  );
}

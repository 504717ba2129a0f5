import { Anchor, Button, Menu, SegmentedControl, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconArrowsMove,
  IconEyeOff,
  IconHourglassEmpty,
  IconPhoto,
  IconPhotoOff,
  IconPhotoPlus,
  IconPlus,
  IconSortDescending,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import { mayAdd, mayManage } from '#api/albums/find-album.ts';
import type { Image } from '#api/images/images.ts';
import { AlbumActions } from '#renderer/albums/album-actions.tsx';
import { AlbumShare } from '#renderer/albums/album-share.tsx';
import { hiddenQuery, useAlbum, useChangeAlbum } from '#renderer/albums/albums.ts';
import { isPast } from '#renderer/components/forms/expiry-time.ts';
import { PublicCard, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState, LoadError, useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { countQuery } from '#renderer/images/list/count.ts';
import { useMoveInAlbum } from '#renderer/images/list/order.ts';
import { useUndo } from '#renderer/images/list/use-undo.tsx';
import { isTouch } from '#renderer/platform/touch.ts';
import { useChooseFiles } from '#renderer/upload/sources/intake.tsx';
import { BackLink } from './back-link.tsx';
import type { GallerySearch } from './filters/search.ts';
import classes from './gallery.module.css';
import { type Destination, Gallery } from './gallery.tsx';
import { NewestFirst } from './newest-first.tsx';
import { ReceivedInAlbum } from './received-in-album.tsx';
import { SharedPictures } from './shared/shared-pictures.tsx';

const route = getRouteApi('/member/albums/$albumId');

/** One album, as a gallery of its images. */
export function AlbumPage() {
  const { t } = useTranslation();
  const { albumId } = route.useParams();
  const navigate = useNavigate();
  const choose = useChooseFiles();
  const { album, isGone: gone, error, refetch } = useAlbum(albumId);
  const { show } = route.useSearch();
  const which: Which = show ?? 'all';
  const setWhich = (next: Which) =>
    void navigate({
      to: '.',
      search: (before: GallerySearch) => ({ ...before, show: next === 'mine' ? ('mine' as const) : undefined }),
      replace: true,
      resetScroll: false,
    });
  const isOwners = album?.role === 'owner';
  // Its owner finds the plain gallery while nobody else has added pictures.
  const { data: own } = useQuery({
    ...countQuery({ album_id: albumId, sort: 'uploaded_desc' }),
    enabled: isOwners && album.member_count > 0,
  });
  const isJoint = album !== undefined && (isOwners ? own !== undefined && own.count < album.image_count : true);
  usePageTitle(gone ? t('albums.gone') : album?.name);
  const isPublic = album?.visibility === 'public' && album.role === 'owner';
  const notifyError = useNotifyError();
  const change = useChangeAlbum();
  const { mutateAsync: moveInAlbum } = useMoveInAlbum();
  const offerUndo = useUndo(useNotice());
  const [arranging, setArranging] = useState(false);
  const [announcement, announce] = useState('');
  const move = ({ key, name }: Image, { before, position, total }: Destination) => {
    const sentence = t('albums.movedTo', { name, position, total });
    void moveInAlbum({ albumId, key, before: before?.key ?? null }).then(
      ({ undo }) => offerUndo(sentence, { tokens: undo ? [undo] : [], action: 'album_order', images: [], more: true }),
      notifyError,
    );
    announce(sentence);
  };
  const [asksToSort, setAsksToSort] = useState(false);
  const sortByUpload = () => {
    setAsksToSort(false);
    change.mutate({ id: albumId, sorted: false }, { onError: (error) => notifyError(error) });
  };
  const announceMove = ({ name, position, total }: { name: string; position: number; total: number }) =>
    announce(t('albums.movedTo', { name, position, total }));
  const [isSharing, { open: share, close: stopSharing }] = useDisclosure(false);
  const arrange = () => {
    setWhich('all');
    setArranging(true);
  };
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (gone)
    return (
      <PublicCard art={<IconPhotoOff size={40} stroke={1.4} />} title={t('albums.gone')} text={t('albums.goneText')}>
        <Button component={Link} to="/albums" mt="lg">
          {t('albums.toAlbums')}
        </Button>
      </PublicCard>
    );
  const lead = <BackLink to="/albums" label={t('albums.toAlbums')} />;
  const actions = arranging ? (
    <Button size="sm" className={classes.fixed} onClick={() => setArranging(false)}>
      {t('albums.arrangeDone')}
    </Button>
  ) : (
    album && (
      <>
        {mayAdd(album) && <AddButton album={album} />}
        <AlbumActions album={album} labelled={classes.labelled ?? ''} onShare={share} onGone={() => void navigate({ to: '/albums' })}>
          {mayManage(album) && album.image_count > 1 && (
            <Menu.Item leftSection={<IconArrowsMove size={16} stroke={1.7} />} onClick={arrange}>
              {t('albums.arrange')}
            </Menu.Item>
          )}
          {mayManage(album) && album.sorted && (
            <Menu.Item leftSection={<IconSortDescending size={16} stroke={1.7} />} onClick={() => setAsksToSort(true)}>
              {t('albums.newestFirst')}
            </Menu.Item>
          )}
        </AlbumActions>
      </>
    )
  );
  const note = (applies?: ReactNode) => (
    <>
      {asksToSort && <NewestFirst onClose={() => setAsksToSort(false)} onConfirm={sortByUpload} />}
      {isJoint && !arranging && (
        <div className={classes.which}>
          <WhichPictures value={which} onChange={setWhich} />
          {applies}
        </div>
      )}
      {arranging && (
        <p className={classes.arranging}>
          {t('albums.arrangeHint')}
          <VisuallyHidden role="status">{announcement}</VisuallyHidden>
        </p>
      )}
      {isPublic &&
        !arranging &&
        (isPast(album.expires_at) ? <ExpiredNote expiresAt={album.expires_at} /> : <HiddenNote albumId={albumId} />)}
      {isOwners && !arranging && <ReceivedInAlbum key={albumId} albumId={albumId} />}
    </>
  );
  const empty =
    album && !mayAdd(album) ? (
      <EmptyState art={<IconPhoto size={48} stroke={1.2} aria-hidden />} title={t('albums.emptyAlbum')} text={t('members.emptyText')} />
    ) : (
      <EmptyState
        art={<IconPhotoPlus size={48} stroke={1.2} aria-hidden />}
        title={t('albums.emptyAlbum')}
        text={t(isTouch() ? 'albums.emptyAlbumTextTouch' : 'albums.emptyAlbumText')}
      >
        <Button mt="md" onClick={choose}>
          {t('albums.uploadNew')}
        </Button>
        <Button component={Link} to={`/albums/${albumId}/add`} mt="md" variant="default">
          {t('albums.addMine')}
        </Button>
      </EmptyState>
    );
  return (
    <>
      {isJoint && which === 'all' ? (
        <SharedPictures
          key={albumId}
          album={album}
          lead={lead}
          actions={actions}
          note={note}
          empty={empty}
          onMove={arranging ? announceMove : undefined}
        />
      ) : (
        <Gallery
          key={albumId}
          albumId={albumId}
          title={album?.name ?? t('albums.title')}
          lead={lead}
          ownOrder={arranging || album?.sorted === true}
          onMove={arranging ? move : undefined}
          actions={actions}
          inPublicAlbum={isPublic}
          note={note()}
          empty={empty}
        />
      )}
      {album && <AlbumShare opened={isSharing} album={album} onClose={stopSharing} />}
    </>
  );
}

type Which = 'all' | 'mine';

/** In an album with members: everyone's pictures, or the user's own, with all that can be done with those. */
function WhichPictures({ value, onChange }: { value: Which; onChange: (which: Which) => void }) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="sm"
      aria-label={t('members.show')}
      value={value}
      onChange={(which) => onChange(which as Which)}
      data={(['all', 'mine'] as const).map((which) => ({ value: which, label: t(`members.${which}`) }))}
    />
  );
}

function AddButton({ album: { id } }: { album: Album }) {
  const { t } = useTranslation();
  return (
    <Button
      component={Link}
      to={`/albums/${id}/add`}
      variant="default"
      size="sm"
      className={classes.labelled}
      leftSection={<IconPlus size={18} stroke={1.7} />}
      aria-label={t('albums.addPictures')}
      title={t('albums.addPictures')}
    >
      {t('albums.addPictures')}
    </Button>
  );
}

/** Tells the owner of an album that its link has ended. */
function ExpiredNote({ expiresAt }: { expiresAt: string | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className={classes.note} role="note">
      <IconHourglassEmpty size={20} aria-hidden />
      <div>
        <p>{t('albums.expiredNote', { date: format.moment(expiresAt ?? '') })}</p>
      </div>
    </div>
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
        {total > counts.expired && t('hidden.marked')}
        <ul>
          {REASONS.filter((reason) => counts[reason] > 0).map((reason) => (
            <li key={reason}>
              {reason === 'private' ? (
                <Anchor
                  component={Link}
                  to={`/albums/${albumId}?visibility=private`}
                  inherit
                  underline="always"
                  className={classes.noteLink}
                >
                  {t('hidden.private', { count: counts.private })}
                </Anchor>
              ) : (
                t(`hidden.${reason}`, { count: counts[reason] })
              )}
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

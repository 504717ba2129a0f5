import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDoorExit, IconDots, IconDownload, IconInbox, IconLink, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import { mayManage } from '#api/albums/find-album.ts';
import { addressOf } from '#api/client.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { load } from '#renderer/service/connection.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { AlbumForm } from './album-form.tsx';
import { AlbumMembers } from './album-members.tsx';
import { AlbumShare } from './album-share.tsx';
import { DeleteAlbum } from './delete-album.tsx';
import { LeaveAlbum } from './leave-album.tsx';

const RequestsDialog = lazy(() =>
  load(() => import('./requests/requests-dialog.tsx')).then((module) => ({ default: module.RequestsDialog })),
);

interface Props {
  album: Album;
  /** Class of the button with words; without it, the button is only an icon. */
  labelled?: string;
  /** Opens the page's own dialog for the members, which stays while the page changes with the first one. */
  onMembers?: () => void;
  /** The album is deleted, or its user has left it. */
  onGone?: () => void;
  /** More menu items. */
  children?: ReactNode;
}

/** The button and the menu of an album: its owner shares it, its members see each other. */
export function AlbumActions({ album, labelled, onMembers, onGone, children }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'share' | 'ask' | 'members' | 'edit' | 'delete' | 'leave'>();
  const { data: config } = useQuery(configQuery);
  const close = () => setOpen(undefined);
  const showMembers = onMembers ?? (() => setOpen('members'));
  const icon = { size: 16, stroke: 1.7 };
  const isOwner = album.role === 'owner';
  const [Icon, main, name, words] = isOwner
    ? ([IconLink, () => setOpen('share'), t('albums.shareOne', { name: album.name }), t('albums.share')] as const)
    : ([IconUsers, showMembers, t('members.of', { name: album.name }), t('members.title')] as const);
  // Everything in the album, where others have pictures in it.
  const zip =
    isOwner && album.member_count === 0
      ? addressOf('GET /images/download', { query: { album_id: album.id } })
      : addressOf('GET /a/:id/download', { params: { id: album.id }, query: {} });
  return (
    <>
      {labelled ? (
        <Button
          variant="default"
          size="sm"
          className={labelled}
          leftSection={<Icon size={18} stroke={1.7} />}
          aria-label={name}
          onClick={main}
        >
          {words}
        </Button>
      ) : (
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={name} title={words} onClick={main}>
          <Icon size={20} stroke={1.7} />
        </ActionIcon>
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('albums.more', { name: album.name })}>
            <IconDots size={20} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isOwner && (
            <Menu.Item leftSection={<IconUsers {...icon} />} onClick={showMembers}>
              {t('members.title')}
            </Menu.Item>
          )}
          {mayManage(album) && config?.request_links_enabled && (
            <Menu.Item leftSection={<IconInbox {...icon} />} onClick={() => setOpen('ask')}>
              {t('requests.ask')}
            </Menu.Item>
          )}
          {mayManage(album) && (
            <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setOpen('edit')}>
              {t('albums.edit')}
            </Menu.Item>
          )}
          {album.image_count > 0 && (isOwner || album.allow_download) && (
            <Menu.Item component="a" href={zip} leftSection={<IconDownload {...icon} />}>
              {t('library.zip')}
            </Menu.Item>
          )}
          {children}
          {isOwner ? (
            <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => setOpen('delete')}>
              {t('albums.delete')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconDoorExit {...icon} />} onClick={() => setOpen('leave')}>
              {t('members.leave')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <AlbumForm opened={open === 'edit'} album={album} onClose={close} />
      {open === 'ask' && (
        <Suspense>
          <RequestsDialog album={album} onClose={close} />
        </Suspense>
      )}
      <AlbumMembers opened={open === 'members'} album={album} onClose={close} />
      {isOwner ? (
        <>
          <AlbumShare opened={open === 'share'} album={album} onClose={close} />
          <DeleteAlbum opened={open === 'delete'} album={album} onClose={close} onDeleted={onGone} />
        </>
      ) : (
        <LeaveAlbum opened={open === 'leave'} album={album} onClose={close} onLeft={onGone} />
      )}
    </>
  );
}

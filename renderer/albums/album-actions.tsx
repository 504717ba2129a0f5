import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDoorExit, IconDots, IconDownload, IconLink, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import { mayManage } from '#api/albums/find-album.ts';
import { addressOf } from '#api/client.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { AlbumForm } from './album-form.tsx';
import { AlbumShare } from './album-share.tsx';
import { DeleteAlbum } from './delete-album.tsx';
import { LeaveAlbum } from './leave-album.tsx';

interface Props {
  album: Album;
  /** Class of the button with words; without it, the button is only an icon. */
  labelled?: string;
  /** Opens the page's own sheet, which stays while the page changes with the first picture of a member. */
  onShare?: () => void;
  /** The album is deleted, or its user has left it. */
  onGone?: () => void;
  /** More menu items. */
  children?: ReactNode;
}

/** The button and the menu of an album: its owner and managers share it, its members see each other. */
export function AlbumActions({ album, labelled, onShare, onGone, children }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'share' | 'edit' | 'delete' | 'leave'>();
  const close = () => setOpen(undefined);
  const share = onShare ?? (() => setOpen('share'));
  const icon = { size: 16, stroke: 1.7 };
  const isOwner = album.role === 'owner';
  const [Icon, name, words] = mayManage(album)
    ? ([IconLink, t('albums.shareOne', { name: album.name }), t('albums.share')] as const)
    : ([IconUsers, t('members.of', { name: album.name }), t('members.title')] as const);
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
          title={words}
          onClick={share}
        >
          {words}
        </Button>
      ) : (
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={name} title={words} onClick={share}>
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
          ) : album.shared_through?.kind === 'user' ? (
            <Menu.Item leftSection={<IconDoorExit {...icon} />} onClick={() => setOpen('leave')}>
              {t('members.leave')}
            </Menu.Item>
          ) : (
            <Menu.Label>
              {album.shared_through?.kind === 'group'
                ? t('members.throughGroup', { group: album.shared_through.name })
                : t('members.throughEveryone')}
            </Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
      <AlbumForm opened={open === 'edit'} album={album} onClose={close} />
      <AlbumShare opened={open === 'share'} album={album} onClose={close} />
      {isOwner ? (
        <DeleteAlbum opened={open === 'delete'} album={album} onClose={close} onDeleted={onGone} />
      ) : (
        <LeaveAlbum opened={open === 'leave'} album={album} onClose={close} onLeft={onGone} />
      )}
    </>
  );
}

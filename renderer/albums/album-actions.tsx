import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconDownload, IconLink, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Album } from '#api/albums/albums.ts';
import { addressOf } from '#api/client.ts';
import { AlbumForm } from './album-form.tsx';
import { AlbumShare } from './album-share.tsx';
import { DeleteAlbum } from './delete-album.tsx';

interface Props {
  album: Album;
  /** Class of a share button with words; without it, the button is only an icon. */
  labelled?: string;
  onDeleted?: () => void;
  /** More menu items. */
  children?: ReactNode;
}

/** The share button and the menu of an album. */
export function AlbumActions({ album, labelled, onDeleted, children }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'share' | 'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  const icon = { size: 16, stroke: 1.7 };
  return (
    <>
      {labelled ? (
        <Button
          variant="default"
          size="sm"
          className={labelled}
          leftSection={<IconLink size={18} stroke={1.7} />}
          aria-label={t('albums.shareOne', { name: album.name })}
          onClick={() => setOpen('share')}
        >
          {t('albums.share')}
        </Button>
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('albums.shareOne', { name: album.name })}
          title={t('albums.share')}
          onClick={() => setOpen('share')}
        >
          <IconLink size={20} stroke={1.7} />
        </ActionIcon>
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('albums.more', { name: album.name })}>
            <IconDots size={20} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setOpen('edit')}>
            {t('albums.edit')}
          </Menu.Item>
          {album.image_count > 0 && (
            <Menu.Item
              component="a"
              href={addressOf('GET /images/download', { query: { album_id: album.id } })}
              leftSection={<IconDownload {...icon} />}
            >
              {t('library.zip')}
            </Menu.Item>
          )}
          {children}
          <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => setOpen('delete')}>
            {t('albums.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <AlbumForm opened={open === 'edit'} album={album} onClose={close} />
      <AlbumShare opened={open === 'share'} album={album} onClose={close} />
      <DeleteAlbum opened={open === 'delete'} album={album} onClose={close} onDeleted={onDeleted} />
    </>
  );
}

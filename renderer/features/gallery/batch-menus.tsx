import { ActionIcon, Button, Menu, Popover, Stack, TagsInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload, IconEye, IconFolderSymlink, IconLock, IconPhotoStar, IconTag, IconWorld } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf } from '#api/client.ts';
import { MAX_BATCH, MAX_TAG_LENGTH } from '#api/constants.ts';
import type { Image } from '#api/images.ts';
import { useChangeAlbum } from '#renderer/albums/albums.ts';
import { useNotifyError } from '#renderer/components/notice.tsx';
import { type BatchChange, useBatch } from '#renderer/images/batch.ts';
import { tagsQuery } from '#renderer/images/list.ts';
import { AlbumChoices } from './album-choices.tsx';

interface Props {
  images: readonly Image[];
  /** The album that the page shows, if any. */
  albumId: string | undefined;
}

const BUTTON = { variant: 'subtle', color: 'gray', size: 'lg' } as const;

/** Changes all selected images. They stay selected for the next change. */
export function BatchMenus({ images, albumId }: Props) {
  const apply = useApply(images);
  return (
    <>
      <AlbumMenu onMove={(album_id) => apply({ action: 'move', album_id })} />
      <TagMenu onTag={(tags, mode) => apply({ action: 'tag', tags, mode })} />
      <VisibilityMenu onChange={(visibility) => apply({ action: 'visibility', visibility })} />
      {albumId && images.length === 1 && images[0] && <CoverButton albumId={albumId} image={images[0]} />}
      <Download images={images} />
    </>
  );
}

/** Returns a function that changes images and reports the outcome. */
function useApply(images: readonly Image[]) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const { mutate } = useBatch();
  return (change: BatchChange) =>
    mutate(
      { images, change },
      {
        onSuccess: ({ done, failed, error }) => {
          if (failed.length) notifyError(error, t('library.changeFailed', { count: failed.length }));
          if (done.length)
            notifications.show({
              id: 'batch',
              color: 'petrol.7',
              title: t('library.changed', { count: done.length }),
              message: undefined,
              autoClose: 2500,
            });
        },
        onError: (error) => notifyError(error),
      },
    );
}

function AlbumMenu({ onMove }: { onMove: (albumId: string | null) => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon {...BUTTON} aria-label={t('library.moveTo')} title={t('library.moveTo')}>
          <IconFolderSymlink size={20} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah="min(26rem, 60vh)" style={{ overflowY: 'auto' }}>
        <AlbumChoices onChoose={onMove} />
      </Menu.Dropdown>
    </Menu>
  );
}

function TagMenu({ onTag }: { onTag: (tags: string[], mode: 'add' | 'remove') => void }) {
  const { t } = useTranslation();
  const { data: known } = useQuery(tagsQuery);
  const [opened, setOpened] = useState(false);
  const [tags, setTags] = useState<string[]>([]);
  const apply = (mode: 'add' | 'remove') => {
    setOpened(false);
    setTags([]);
    if (tags.length) onTag(tags, mode);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus width={280}>
      <Popover.Target>
        <ActionIcon {...BUTTON} aria-label={t('library.tags')} title={t('library.tags')} onClick={() => setOpened(!opened)}>
          <IconTag size={20} stroke={1.7} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('library.tags')}>
        <Stack gap="sm">
          <TagsInput
            label={t('library.tags')}
            description={t('library.tagsHint')}
            value={tags}
            onChange={setTags}
            data={known ?? []}
            maxLength={MAX_TAG_LENGTH}
            acceptValueOnBlur
            comboboxProps={{ withinPortal: false }}
            data-autofocus
          />
          <Button size="xs" disabled={!tags.length} onClick={() => apply('add')}>
            {t('library.tagAdd')}
          </Button>
          <Button size="xs" variant="default" disabled={!tags.length} onClick={() => apply('remove')}>
            {t('library.tagRemove')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function VisibilityMenu({ onChange }: { onChange: (visibility: 'public' | 'private') => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon {...BUTTON} aria-label={t('details.visibility')} title={t('details.visibility')}>
          <IconEye size={20} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconWorld size={16} />} onClick={() => onChange('public')}>
          {t('details.public')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLock size={16} />} onClick={() => onChange('private')}>
          {t('details.private')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function CoverButton({ albumId, image }: { albumId: string; image: Image }) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const change = useChangeAlbum();
  const use = () =>
    change.mutate(
      { id: albumId, cover_key: image.key },
      {
        onSuccess: () => notifications.show({ color: 'petrol.7', title: t('albums.coverSet'), message: image.name, autoClose: 2500 }),
        onError: (error) => notifyError(error),
      },
    );
  return (
    <ActionIcon {...BUTTON} aria-label={t('albums.useAsCover')} title={t('albums.useAsCover')} onClick={use}>
      <IconPhotoStar size={20} stroke={1.7} />
    </ActionIcon>
  );
}

function Download({ images }: { images: readonly Image[] }) {
  const { t } = useTranslation();
  if (images.length > MAX_BATCH)
    return (
      <ActionIcon
        {...BUTTON}
        disabled
        aria-label={t('library.zipTooMany', { max: MAX_BATCH })}
        title={t('library.zipTooMany', { max: MAX_BATCH })}
      >
        <IconDownload size={20} stroke={1.7} />
      </ActionIcon>
    );
  const address = addressOf('GET /images/download', { query: { keys: images.map(({ key }) => key).join(',') } });
  return (
    <ActionIcon {...BUTTON} component="a" href={address} download aria-label={t('library.zip')} title={t('library.zip')}>
      <IconDownload size={20} stroke={1.7} />
    </ActionIcon>
  );
}

import { Button, Group, Modal, Radio, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useDeleteAlbum } from './albums.ts';

interface Props {
  opened: boolean;
  album: Album;
  onClose: () => void;
  onDeleted?: (() => void) | undefined;
}

/** Asks before deleting an album, and whether to keep its images. */
export function DeleteAlbum({ opened, album, onClose, onDeleted }: Props) {
  const { t } = useTranslation();
  const explain = useExplain();
  const remove = useDeleteAlbum();
  const [images, setImages] = useState<'keep' | 'trash'>('keep');
  const confirm = () =>
    remove.mutate(
      { id: album.id, images },
      {
        onSuccess: () => {
          notifications.show({ color: 'petrol.7', title: t('albums.deleted'), message: album.name, autoClose: 3000 });
          onClose();
          onDeleted?.();
        },
      },
    );
  return (
    <Modal opened={opened} onClose={onClose} title={t('albums.deleteTitle', { name: album.name })}>
      <Stack>
        {remove.isError && <ErrorNotice explanation={explain(remove.error)} />}
        <Radio.Group
          label={t('albums.deleteText', { count: album.image_count })}
          value={images}
          onChange={(value) => setImages(value === 'trash' ? 'trash' : 'keep')}
        >
          <Stack gap="sm" mt="xs">
            <Radio value="keep" label={t('albums.keepPictures', { count: album.image_count })} />
            <Radio value="trash" label={t('albums.trashPictures', { count: album.image_count })} />
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button color="red.8" loading={remove.isPending} onClick={confirm}>
            {t('albums.delete')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

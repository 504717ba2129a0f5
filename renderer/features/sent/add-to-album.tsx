import { Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AlbumChoices } from '#renderer/albums/album-choices.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { only } from '#renderer/images/list/batch.ts';
import { client } from '#renderer/service/client.ts';

interface Props {
  /** What was sent to the user, and those of its pictures that go into an album. */
  sentId: string;
  keys: string[];
  onClose: () => void;
}

/** Puts pictures that were sent to the user into an album of theirs. */
export function AddToAlbum({ sentId, keys, onClose }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const add = useMutation({
    mutationFn: ({ id }: { id: string; album: string }) =>
      client.call('POST /albums/:id/received', { params: { id }, body: { sent_id: sentId, keys } }),
    onSuccess: (_nothing, { album }) => {
      void queryClient.invalidateQueries({ queryKey: ['sent'] });
      notifications.show({ color: 'petrol.7', title: t('sentPictures.added', { count: keys.length, album }), message: undefined });
      onClose();
    },
    onError: (error) => notifyError(error),
  });
  return (
    <Modal opened onClose={onClose} title={t('library.addTo')} size="sm">
      <Text size="sm" c="dimmed" mb="sm">
        {t('sentPictures.addHint')}
      </Text>
      <AlbumChoices target={only([])} onAdd={(id, album) => add.mutate({ id, album })} />
    </Modal>
  );
}

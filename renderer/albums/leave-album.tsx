import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import type { Album } from '#api/albums/albums.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { useRemoveMember } from './members.ts';

interface Props {
  opened: boolean;
  album: Album;
  onClose: () => void;
  onLeft?: (() => void) | undefined;
}

/** Asks before the user leaves an album that is shared with them. */
export function LeaveAlbum({ opened, album, onClose, onLeft }: Props) {
  const { t } = useTranslation();
  const explain = useExplain();
  const { data: session } = useQuery(sessionQuery);
  const user = session?.user;
  const remove = useRemoveMember(album.id);
  const leave = () =>
    user &&
    remove.mutate(
      { id: user.id, isSelf: true },
      {
        onSuccess: () => {
          notifications.show({ color: 'petrol.7', title: t('members.left'), message: album.name, autoClose: 3000 });
          onClose();
          onLeft?.();
        },
      },
    );
  return (
    <Modal opened={opened} onClose={onClose} title={t('members.leaveTitle', { name: album.name })}>
      <Stack>
        {remove.isError && <ErrorNotice explanation={explain(remove.error)} />}
        <Text size="sm">{t('members.leaveText')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('common.cancel')}
          </Button>
          <Button color="red.8" loading={remove.isPending} onClick={leave}>
            {t('members.leave')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

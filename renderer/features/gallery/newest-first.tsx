import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from '#renderer/i18n/t.ts';

interface Props {
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before the arrangement of an album is lost. */
export function NewestFirst({ onClose, onConfirm }: Props) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={t('albums.newestFirstTitle')}>
      <Stack>
        <Text size="sm">{t('albums.newestFirstText')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button data-autofocus onClick={onConfirm}>
            {t('albums.newestFirstConfirm')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { TRASH_DAYS } from '#api/constants.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';

interface Props {
  /** The number of images to move to the trash. */
  count: number;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before many images are moved to the trash. */
export function TrashQuestion({ count, onClose, onConfirm }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Modal opened onClose={onClose} title={t('library.deleteTitle', { count, formatted: format.number(count) })}>
      <Stack>
        <Text size="sm">{t('library.deleteText', { count: TRASH_DAYS })}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button color="red.8" data-autofocus onClick={onConfirm}>
            {t('common.delete')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import { Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { useTranslation } from '#renderer/i18n/t.ts';
import { copyKeys } from '#renderer/platform/clipboard.ts';

/** The last resort: the text, selected, to copy with the keyboard. */
export function CopyByHand({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={t('links.byHandTitle')}>
      <Text size="sm" mb="sm">
        {t('links.byHandText', { keys: copyKeys() })}
      </Text>
      <Textarea
        aria-label={t('links.byHandLabel')}
        value={text}
        readOnly
        autosize
        maxRows={8}
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>{t('common.done')}</Button>
      </Group>
    </Modal>
  );
}

import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useTranslation } from '#renderer/i18n/t.ts';

interface Question {
  title: string;
  text: string;
  confirm: string;
  /** False if nothing is lost. */
  danger?: boolean;
  onConfirm: () => void;
}

/** Returns a function that asks for confirmation. */
export function useAsk() {
  const { t } = useTranslation('admin');
  return ({ title, text, confirm, danger = true, onConfirm }: Question) =>
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      labels: { confirm, cancel: t('cancel') },
      confirmProps: danger ? { color: 'red.8' } : {},
      onConfirm,
    });
}

import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { useNotifyError } from '../../components/notice.tsx';
import { useRemoveImages } from '../../images/remove.ts';

/** Asks before it deletes, then says what happened. `onRemove` is told the keys at once, `after` once the person has agreed. */
export function useConfirmRemoval(onRemove: (keys: string[]) => void) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const { mutate } = useRemoveImages(({ removed, failed }) => {
    if (removed.length)
      notifications.show({ color: 'petrol.7', title: t('remove.done', { count: removed.length }), message: undefined, autoClose: 3000 });
    if (failed[0]) notifyError(failed[0].error, t('remove.failed', { count: failed.length }));
  });
  const ask = useCallback(
    (images: readonly Image[], after?: () => void) => {
      const count = images.length;
      if (!count) return;
      modals.openConfirmModal({
        title: t('remove.title', { count }),
        children: <Text size="sm">{t('remove.text', { count })}</Text>,
        labels: { confirm: t('common.delete'), cancel: t('common.cancel') },
        confirmProps: { color: 'red.8' },
        onConfirm: () => {
          after?.();
          mutate(images);
          onRemove(images.map(({ key }) => key));
        },
      });
    },
    [t, mutate, onRemove],
  );
  return { ask };
}

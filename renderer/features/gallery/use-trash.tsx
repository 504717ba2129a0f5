import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { useNotifyError } from '#renderer/components/notice.tsx';
import { useBatch } from '#renderer/images/batch.ts';

/** Long enough to read it and to find the button. */
const UNDO_MS = 12_000;

/** Moves images to the trash without confirmation, since the notification offers to undo it. Calls `onTrash` immediately. */
export function useTrash(onTrash: (keys: string[]) => void) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const { mutate } = useBatch();
  const restore = useCallback(
    (images: Image[]) =>
      mutate(
        { images, change: { action: 'restore' } },
        {
          onSuccess: ({ failed, error }) => {
            if (failed.length) notifyError(error, t('library.restoreFailed', { count: failed.length }));
          },
          onError: (error) => notifyError(error),
        },
      ),
    [mutate, notifyError, t],
  );
  return useCallback(
    (images: readonly Image[], after?: () => void) => {
      if (!images.length) return;
      after?.();
      onTrash(images.map(({ key }) => key));
      mutate(
        { images, change: { action: 'trash' } },
        {
          onSuccess: ({ done, failed, error }) => {
            if (failed.length) notifyError(error, t('library.trashFailed', { count: failed.length }));
            if (!done.length) return;
            const id = `trash-${done[0]?.key}`;
            const undo = () => {
              notifications.hide(id);
              restore(done);
            };
            notifications.show({
              id,
              color: 'petrol.7',
              title: t('library.trashed', { count: done.length }),
              message: (
                <Button size="compact-sm" variant="light" mt={4} onClick={undo}>
                  {t('library.undo')}
                </Button>
              ),
              autoClose: UNDO_MS,
            });
          },
        },
      );
    },
    [mutate, notifyError, onTrash, restore, t],
  );
}

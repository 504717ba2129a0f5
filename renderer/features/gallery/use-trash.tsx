import { Button } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useNotifyError } from '#renderer/components/notice.tsx';
import { useNotice } from '#renderer/components/use-notice.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { amountOf, type BatchOutcome, type BatchTarget, useBatch, useUndoTrash } from '#renderer/images/batch.ts';
import { forgetUndo, rememberUndo } from '#renderer/images/undo.ts';

/** Long enough to read it and to find the button. */
const UNDO_MS = 12_000;

/**
 * Moves images to the trash without confirmation, since it can be undone. Calls `onTrash` immediately. It reports the outcome on whatever
 * page the user is then.
 */
export function useTrash(onTrash: (target: BatchTarget) => void) {
  const { t } = useTranslation();
  const format = useFormat();
  const notifyError = useNotifyError();
  const notice = useNotice();
  const { mutateAsync } = useBatch();
  const restore = useRestore(notice);
  const report = useCallback(
    ({ processed, refused, error, done, undo: tokens }: BatchOutcome, more: boolean) => {
      if (refused) notifyError(error, t('library.trashFailed', { count: refused }));
      if (!processed) return notice.hide();
      const undo = () => {
        forgetUndo(undo);
        void restore({ tokens, images: done, more });
      };
      rememberUndo(undo);
      notice.show({
        title: t('library.trashed', { count: processed, formatted: format.number(processed) }),
        message: (
          <Button size="compact-sm" variant="light" mt={4} onClick={undo}>
            {t('library.undo')}
          </Button>
        ),
        autoClose: UNDO_MS,
      });
    },
    [format, notice, notifyError, restore, t],
  );
  return useCallback(
    (target: BatchTarget, after?: () => void) => {
      const count = amountOf(target);
      if (!count) return;
      after?.();
      onTrash(target);
      const more = target.sets.length > 0;
      if (more) notice.wait(t('selection.deleting', { count, formatted: format.number(count) }));
      void mutateAsync({ target, change: { action: 'trash' } }).then((outcome) => report(outcome, more));
    },
    [format, mutateAsync, notice, onTrash, report, t],
  );
}

/** Returns a function that undoes a deletion and reports it. */
function useRestore(notice: ReturnType<typeof useNotice>) {
  const { t } = useTranslation();
  const format = useFormat();
  const notifyError = useNotifyError();
  const { mutateAsync } = useUndoTrash();
  return useCallback(
    async (undone: Parameters<typeof mutateAsync>[0]) => {
      notice.wait(t('selection.restoring'));
      try {
        const { processed, refused } = await mutateAsync(undone);
        notice.hide();
        if (refused) notifyError(undefined, t('library.restoreFailed', { count: refused }));
        if (!processed) return;
        const title = t('trash.restored', { count: processed, formatted: format.number(processed) });
        notice.show({ title, message: undefined, autoClose: 3000 });
      } catch (error) {
        notice.hide();
        notifyError(error);
      }
    },
    [format, mutateAsync, notice, notifyError, t],
  );
}

import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { amountOf, type BatchOutcome, type BatchTarget, useBatch } from '#renderer/images/list/batch.ts';
import { useUndo } from './use-undo.tsx';

/**
 * Moves images to the trash without confirmation, since it can be undone. Calls `onTrash` immediately. It reports the outcome on whatever
 * page the user is then.
 */
export function useTrash(onTrash: (target: BatchTarget) => void) {
  const { t } = useTranslation();
  const format = useFormat();
  const notifyError = useNotifyError();
  const notice = useNotice();
  const runBatch = useBatch();
  const offerUndo = useUndo(notice);
  const report = useCallback(
    ({ processed, refused, error, done, undo: tokens }: BatchOutcome, more: boolean) => {
      if (refused) notifyError(error, t('library.trashFailed', { count: refused }));
      if (!processed) return notice.hide();
      const title = t('library.trashed', { count: processed, formatted: format.number(processed) });
      offerUndo(title, { tokens, action: 'trash', images: done, more });
    },
    [format, notice, notifyError, offerUndo, t],
  );
  return useCallback(
    (target: BatchTarget, after?: () => void) => {
      const count = amountOf(target);
      if (!count) return;
      after?.();
      onTrash(target);
      const more = target.sets.length > 0;
      if (more) notice.wait(t('selection.deleting', { count, formatted: format.number(count) }));
      void runBatch({ target, change: { action: 'trash' } }).then((outcome) => report(outcome, more));
    },
    [format, runBatch, notice, onTrash, report, t],
  );
}

import { lazy, Suspense, useCallback, useState } from 'react';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { amountOf, type BatchOutcome, type BatchTarget, useBatch } from '#renderer/images/list/batch.ts';
import { useUndo } from '#renderer/images/list/use-undo.tsx';
import { load } from '#renderer/service/connection.ts';

const TrashQuestion = lazy(() => load(() => import('./trash-question.tsx')).then((module) => ({ default: module.TrashQuestion })));

/** Deleting or moving as many pictures as this asks first: not all of them can be seen. */
export const ASK_FROM = 51;

/**
 * Moves images to the trash: few without confirmation, since it can be undone; for many, the page shows `question` first. Calls `onTrash`
 * once it begins. It reports the outcome on whatever page the user is then.
 */
export function useTrash(onTrash: (target: BatchTarget) => void) {
  const { t } = useTranslation();
  const format = useFormat();
  const notifyError = useNotifyError();
  const notice = useNotice();
  const runBatch = useBatch();
  const offerUndo = useUndo(notice);
  const [asked, setAsked] = useState<{ count: number; run: () => void }>();
  const report = useCallback(
    ({ processed, refused, error, done, undo: tokens }: BatchOutcome, more: boolean) => {
      if (refused) notifyError(error, t('library.trashFailed', { count: refused }));
      if (!processed) return notice.hide();
      const title = t('library.trashed', { count: processed, formatted: format.number(processed) });
      offerUndo(title, { tokens, action: 'trash', images: done, more });
    },
    [format, notice, notifyError, offerUndo, t],
  );
  const trash = useCallback(
    (target: BatchTarget, after?: () => void) => {
      const count = amountOf(target);
      if (!count) return;
      const amount = { count, formatted: format.number(count) };
      const run = () => {
        after?.();
        onTrash(target);
        const more = target.sets.length > 0;
        if (more) notice.wait(t('selection.deleting', amount));
        void runBatch({ target, change: { action: 'trash' } }).then((outcome) => report(outcome, more));
      };
      if (count < ASK_FROM) run();
      else setAsked({ count, run });
    },
    [format, runBatch, notice, onTrash, report, t],
  );
  const close = () => setAsked(undefined);
  const confirm = () => {
    close();
    asked?.run();
  };
  const question = asked && (
    <Suspense>
      <TrashQuestion count={asked.count} onClose={close} onConfirm={confirm} />
    </Suspense>
  );
  return { trash, question };
}

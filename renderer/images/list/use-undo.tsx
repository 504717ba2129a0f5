import { type ReactNode, useCallback } from 'react';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import type { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { type Undone, useUndoBatch } from './batch.ts';
import { offerUndo, UNDO_MS } from './undo.tsx';

/** Returns a function that reports a batch and lets it be undone, by the button and by Ctrl+Z, on whatever page the user is then. */
export function useUndo(notice: ReturnType<typeof useNotice>) {
  const undoBatch = useUndoBatchNotice(notice);
  return useCallback(
    (title: string, undone: Undone, link?: ReactNode) => {
      if (undone.tokens.length === 0) notice.show({ title, message: link, autoClose: link ? UNDO_MS : 3000 });
      else offerUndo(notice, { title, link }, () => undoBatch(undone));
    },
    [notice, undoBatch],
  );
}

/** Returns a function that undoes a batch and reports it. */
export function useUndoBatchNotice(notice: ReturnType<typeof useNotice>) {
  const { t } = useTranslation();
  const format = useFormat();
  const notifyError = useNotifyError();
  const { mutateAsync } = useUndoBatch();
  return useCallback(
    async (undone: Undone) => {
      const trash = undone.action === 'trash';
      // The user may go on meanwhile: what is reported then stays, with its own undo.
      const end = notice.wait(t(trash ? 'selection.restoring' : 'selection.undoing'));
      try {
        const { processed, refused } = await mutateAsync(undone);
        if (refused) notifyError(undefined, t(trash ? 'library.restoreFailed' : 'library.changeFailed', { count: refused }));
        if (!processed) return end();
        const title = t(trash ? 'trash.restored' : 'selection.undone', { count: processed, formatted: format.number(processed) });
        end({ title, message: undefined, autoClose: 3000 });
      } catch (error) {
        end();
        notifyError(error);
      }
    },
    [format, mutateAsync, notice, notifyError, t],
  );
}

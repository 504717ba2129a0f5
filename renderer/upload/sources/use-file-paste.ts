import { useEffect } from 'react';
import { dayOf } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { type Incoming, pastedFiles } from '#renderer/upload/incoming.ts';

/** Takes files that are pasted anywhere on the page. */
export function useFilePaste(take: (incoming: Incoming) => void): void {
  const { t } = useTranslation();
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { clipboardData } = event;
      if (!clipboardData?.files.length) return;
      event.preventDefault();
      const now = new Date();
      const date = `${dayOf(now)} ${now.toTimeString().slice(0, 5).replace(':', '.')}`;
      take(pastedFiles(clipboardData, () => t('upload.pastedName', { date })));
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [take, t]);
}

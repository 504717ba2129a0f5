import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#renderer/i18n/format.ts';
import { type Incoming, pastedFiles } from './sources.ts';

/** Takes files that are pasted anywhere on the page. */
export function useFilePaste(take: (incoming: Incoming) => void): void {
  const { t } = useTranslation();
  const format = useFormat();
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { clipboardData } = event;
      if (!clipboardData?.files.length) return;
      event.preventDefault();
      take(pastedFiles(clipboardData, () => t('upload.pastedName', { date: format.moment(new Date()).replaceAll(':', '.') })));
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [take, t, format]);
}

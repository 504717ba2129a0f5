import { ModalsProvider } from '@mantine/modals';
import type { ReactNode } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';

/** Lets the pages inside open confirmation dialogs. Not lazy: a dialog opened before the provider has loaded would never appear. */
export function Questions({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return <ModalsProvider labels={{ confirm: t('common.done'), cancel: t('common.cancel') }}>{children}</ModalsProvider>;
}

import { ModalsProvider } from '@mantine/modals';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Lets the pages inside ask before something is lost. It must be there as soon as they are: a question asked before it would never appear. */
export function Questions({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return <ModalsProvider labels={{ confirm: t('common.done'), cancel: t('common.cancel') }}>{children}</ModalsProvider>;
}

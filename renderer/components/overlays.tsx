import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';

/** Where messages and questions appear. Neither can be asked for before the page itself is there, so it loads after it. */
export function Overlays() {
  const { t } = useTranslation();
  return (
    <>
      <Notifications position="bottom-center" limit={3} />
      <ModalsProvider labels={{ confirm: t('common.done'), cancel: t('common.cancel') }}>{null}</ModalsProvider>
    </>
  );
}

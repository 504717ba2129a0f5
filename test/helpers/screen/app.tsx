import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import 'virtual:theme.css';
import '#renderer/theme/global.css';
import { notifications } from '@mantine/notifications';
import { createRoot } from 'react-dom/client';
import { App, createParts } from '#renderer/app.tsx';
import { APP_TEXTS, followLanguage } from '#renderer/language/app-language.ts';
import { changeLanguage } from '#renderer/language/language.ts';
import { getPreferences } from '#renderer/preferences/preferences.ts';
import { testsOf } from './harness.ts';

/** Tests of the web application, which is started as renderer/main.tsx does, with all texts. */
export const test = testsOf(async () => {
  const { queryClient, router } = createParts();
  await changeLanguage(getPreferences().language, APP_TEXTS);
  const stopFollowing = followLanguage();
  const root = createRoot(document.getElementById('root') as HTMLElement);
  root.render(<App queryClient={queryClient} router={router} />);
  return () => {
    stopFollowing();
    root.unmount();
    queryClient.clear();
    router.history.destroy();
    notifications.clean();
    notifications.cleanQueue();
  };
});

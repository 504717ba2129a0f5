import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './global.css';
import { createRoot } from 'react-dom/client';
import { App, createParts } from './app.tsx';
import { APP_TEXTS } from './app-language.ts';
import { sendToDesktop } from './bridge.ts';
import { changeLanguage, startI18n } from './language.ts';
import { getPreferences, subscribePreferences } from './preferences.ts';
import { reloadBrokenImages } from './service/broken-images.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const parts = createParts();
await startI18n(getPreferences().language, APP_TEXTS);
let { language } = getPreferences();
subscribePreferences(() => {
  if (getPreferences().language === language) return;
  language = getPreferences().language;
  void sendToDesktop({ language });
  void changeLanguage(language, APP_TEXTS);
});
reloadBrokenImages();
createRoot(root).render(<App {...parts} />);

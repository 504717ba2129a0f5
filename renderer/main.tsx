import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import 'virtual:theme.css';
import '#renderer/theme/global.css';
import { createRoot } from 'react-dom/client';
import { FIRST_TEXTS, followLanguage, LATER_TEXTS } from '#renderer/language/app-language.ts';
import { addTexts, changeLanguage } from '#renderer/language/language.ts';
import { sendToDesktop } from '#renderer/platform/bridge.ts';
import { getPreferences } from '#renderer/preferences/preferences.ts';
import { App, colourScheme, createParts } from './app.tsx';
import { loadBeside } from './service/beside.ts';
import { reloadBrokenImages } from './service/broken-images.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const parts = createParts();
await changeLanguage(getPreferences().language, FIRST_TEXTS);
loadBeside(() => addTexts(LATER_TEXTS));
followLanguage();
// Chosen before the app knew of it, or in an earlier release.
const colours = colourScheme.get('auto');
if (colours !== 'auto') void sendToDesktop({ colours });
reloadBrokenImages();
createRoot(root).render(<App {...parts} />);

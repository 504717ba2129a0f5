import { i18n } from '#renderer/i18n/t.ts';
import { sendToDesktop } from '#renderer/platform/bridge.ts';
import { getPreferences, subscribePreferences } from '#renderer/preferences/preferences.ts';
import { changeLanguage, type LanguagePacks } from './language.ts';

/** The texts that the gallery starts with, one language at a time. */
export const FIRST_TEXTS = {
  en: async () => (await import('#renderer/i18n/en-first.ts')).en,
  zh: async () => (await import('#renderer/i18n/zh-first.ts')).zh,
} satisfies LanguagePacks;

/** All others. */
export const LATER_TEXTS = {
  en: async () => (await import('#renderer/i18n/en-later.ts')).en,
  zh: async () => (await import('#renderer/i18n/zh-later.ts')).zh,
} satisfies LanguagePacks;

/** Every text of the application. */
export const APP_TEXTS: LanguagePacks = {
  en: async () => Object.assign({}, ...(await Promise.all([FIRST_TEXTS.en(), LATER_TEXTS.en()]))),
  zh: async () => Object.assign({}, ...(await Promise.all([FIRST_TEXTS.zh(), LATER_TEXTS.zh()]))),
};

/** Shows the page, and the desktop app's windows, in the language that the user chooses. Returns a function that ends this. */
export function followLanguage(): () => void {
  let { language } = getPreferences();
  return subscribePreferences(() => {
    if (getPreferences().language === language) return;
    language = getPreferences().language;
    void sendToDesktop({ language });
    void changeLanguage(language, APP_TEXTS);
  });
}

// Under `npm run dev`: shows changed texts without reloading the page.
import.meta.hot?.accept(
  ['../i18n/en-first.ts', '../i18n/en-later.ts', '../i18n/zh-first.ts', '../i18n/zh-later.ts'],
  ([enFirst, enLater, zhFirst, zhLater]) => {
    for (const changed of [enFirst, enLater]) if (changed) i18n.add('en', 'translation', changed.en);
    for (const changed of [zhFirst, zhLater]) if (changed) i18n.add('zh', 'translation', changed.zh);
    i18n.changeLanguage(i18n.language);
  },
);

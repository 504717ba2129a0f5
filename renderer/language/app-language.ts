import i18next from 'i18next';
import type { LanguagePacks } from './language.ts';

/** Every text of the application, one language at a time. */
export const APP_TEXTS: LanguagePacks = {
  en: async () => (await import('#renderer/i18n/en.ts')).en,
  zh: async () => (await import('#renderer/i18n/zh.ts')).zh,
};

// Under `npm run dev`: shows changed texts without reloading the page.
import.meta.hot?.accept(['../i18n/en.ts', '../i18n/zh.ts'], ([changedEn, changedZh]) => {
  if (changedEn) i18next.addResourceBundle('en', 'translation', changedEn.en, true, true);
  if (changedZh) i18next.addResourceBundle('zh', 'translation', changedZh.zh, true, true);
  void i18next.changeLanguage(i18next.language);
});

import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './i18n/en.ts';
import type { en as admin } from './i18n/en-admin.ts';
import type { en as desktop } from './i18n/en-desktop-pages.ts';
import type { LanguageChoice } from './preference-values.ts';
import { load } from './service/connection.ts';

type Language = 'en' | 'zh';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en; admin: typeof admin; desktop: typeof desktop };
  }
}

/** The chosen language; for `auto`, the first of the browser's languages that is available, else English. */
function resolveLanguage(choice: LanguageChoice, preferred: readonly string[]): Language {
  if (choice !== 'auto') return choice;
  for (const tag of preferred) {
    const base = tag.toLowerCase().split('-')[0];
    if (base === 'zh' || base === 'en') return base;
  }
  return 'en';
}

/** Starts translation. English is always loaded, Chinese on demand. */
export async function startI18n(choice: LanguageChoice): Promise<i18n> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    // React escapes already; doing it twice would show &amp;.
    interpolation: { escapeValue: false },
    returnEmptyString: true,
  });
  await changeLanguage(choice);
  return i18next;
}

/** Switches the page's language, including its `lang` attribute. */
export async function changeLanguage(choice: LanguageChoice): Promise<void> {
  const language = resolveLanguage(choice, navigator.languages);
  if (language === 'zh' && !i18next.hasResourceBundle('zh', 'translation')) {
    const { zh } = await load(() => import('./i18n/zh.ts'));
    i18next.addResourceBundle('zh', 'translation', zh);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}

// Under `npm run dev`: shows changed texts without reloading the page.
import.meta.hot?.accept(['./i18n/en.ts', './i18n/zh.ts'], ([changedEn, changedZh]) => {
  if (changedEn) i18next.addResourceBundle('en', 'translation', changedEn.en, true, true);
  if (changedZh) i18next.addResourceBundle('zh', 'translation', changedZh.zh, true, true);
  void i18next.changeLanguage(i18next.language);
});

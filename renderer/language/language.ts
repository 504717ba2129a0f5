import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { en } from '#renderer/i18n/en.ts';
import type { en as admin } from '#renderer/i18n/en-admin.ts';
import type { texts as entry } from '#renderer/i18n/en-entry.ts';
import type { texts as request } from '#renderer/i18n/en-request.ts';
import type { LanguageChoice } from '#renderer/preferences/preference-values.ts';
import { loadAlone } from '#renderer/service/connection.ts';
import type { desktop } from '#texts/en/desktop/desktop.ts';
import type { edit } from '#texts/en/desktop/edit.ts';
import type { editor } from '#texts/en/editor.ts';

type Language = 'en' | 'zh';
/** Loads the texts of a page in each language. */
export type LanguagePacks = Record<Language, () => Promise<object>>;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: {
      translation: typeof en & Pick<typeof request, 'sending'> & Pick<typeof entry, 'phone'>;
      admin: typeof admin;
      desktop: typeof desktop;
      editor: typeof editor;
      edit: typeof edit;
    };
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

/** Starts translation with the chosen language's texts; another language's are loaded when it is chosen. */
export async function startI18n(choice: LanguageChoice, packs: LanguagePacks): Promise<i18n> {
  const started = i18next.use(initReactI18next).init({
    lng: resolveLanguage(choice, navigator.languages),
    resources: {},
    // React escapes already; doing it twice would show &amp;.
    interpolation: { escapeValue: false },
    returnEmptyString: true,
  });
  await Promise.all([started, changeLanguage(choice, packs)]);
  return i18next;
}

/** Switches the page's language, including its `lang` attribute. */
export async function changeLanguage(choice: LanguageChoice, packs: LanguagePacks): Promise<void> {
  const language = resolveLanguage(choice, navigator.languages);
  if (!i18next.hasResourceBundle(language, 'translation'))
    i18next.addResourceBundle(language, 'translation', await loadAlone(() => packs[language]()));
  await i18next.changeLanguage(language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}

const added = new Set<Language>();

/** Adds texts to those of the page's language, once for each language. */
export async function addTexts(packs: LanguagePacks): Promise<void> {
  const language = i18next.language as Language;
  if (added.has(language)) return;
  i18next.addResourceBundle(language, 'translation', await packs[language](), true, true);
  added.add(language);
}

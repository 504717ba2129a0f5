import { i18n } from '#renderer/i18n/t.ts';
import type { LanguageChoice } from '#renderer/preferences/preference-values.ts';
import { loadAlone } from '#renderer/service/connection.ts';

type Language = 'en' | 'zh';
/** Loads the texts of a page in each language. */
export type LanguagePacks = Record<Language, () => Promise<Parameters<typeof i18n.add>[2]>>;

/** The chosen language; for `auto`, the first of the browser's languages that is available, else English. */
function resolveLanguage(choice: LanguageChoice, preferred: readonly string[]): Language {
  if (choice !== 'auto') return choice;
  for (const tag of preferred) {
    const base = tag.toLowerCase().split('-')[0];
    if (base === 'zh' || base === 'en') return base;
  }
  return 'en';
}

/** Switches the page's language, including its `lang` attribute. */
export async function changeLanguage(choice: LanguageChoice, packs: LanguagePacks): Promise<void> {
  const language = resolveLanguage(choice, navigator.languages);
  if (!i18n.has(language, 'translation')) i18n.add(language, 'translation', await loadAlone(() => packs[language]()));
  i18n.changeLanguage(language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}

const added = new Set<Language>();

/** Adds texts to those of the page's language, once for each language. */
export async function addTexts(packs: LanguagePacks): Promise<void> {
  const language = i18n.language as Language;
  if (added.has(language)) return;
  i18n.add(language, 'translation', await packs[language]());
  added.add(language);
}

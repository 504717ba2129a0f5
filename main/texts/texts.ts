import type { Preferences } from '#api/desktop/preferences.ts';
import { en, type Texts } from './en.ts';
import { zh } from './zh.ts';

/** The texts in the chosen language, or in the system's. `locale` as Electron's `app.getLocale()` gives it. */
export function textsFor(language: Preferences['language'], locale: string): Texts {
  const chosen = language === 'system' ? locale : language;
  return chosen.toLowerCase().startsWith('zh') ? zh : en;
}

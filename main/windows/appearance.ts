import { nativeTheme } from 'electron';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { Ipc } from '#main/ipc.ts';

/** Shows all windows in the colours and the language that the user has chosen: at once, those that are hidden included. */
export function followAppearance(ipc: Pick<Ipc, 'tell'>, preferences: Pick<PreferenceStore, 'get' | 'onChange'>): void {
  let { theme, language } = preferences.get();
  nativeTheme.themeSource = theme;
  preferences.onChange((next) => {
    if (next.theme !== theme) nativeTheme.themeSource = next.theme;
    if (next.language !== language) ipc.tell('languageChanged', next.language);
    ({ theme, language } = next);
  });
}

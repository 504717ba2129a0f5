import type { MenuItemConstructorOptions } from 'electron';
import type { Preferences } from '#api/desktop/preferences.ts';
import type { StartAtLoginState } from '#api/desktop/startup.ts';
import { isTurnedOn } from '#main/base/system/start-at-login.ts';
import type { Texts } from '#main/texts/en.ts';

export interface MoreActions {
  setStartAtLogin(on: boolean): void;
  setAppearance(change: Partial<Appearance>): void;
  openLogFolder(): void;
}

/** Colours and language of the app. */
export type Appearance = Pick<Preferences, 'theme' | 'language'>;

/** What is rarely needed, in a submenu. */
export function moreItems(
  { startAtLogin, host, appearance }: { startAtLogin: StartAtLoginState; host: unknown; appearance: Appearance },
  texts: Texts,
  actions: MoreActions,
): MenuItemConstructorOptions {
  const isOn = isTurnedOn(startAtLogin);
  return {
    label: texts.more,
    submenu: [
      // Where the app hosts, the page keeps them.
      ...(host ? appearanceItems(appearance, texts, actions) : []),
      checkbox(texts.startAtLogin, isOn, startAtLogin !== 'unavailable', () => actions.setStartAtLogin(!isOn)),
      { label: texts.openLogFolder, click: actions.openLogFolder },
    ],
  };
}

function appearanceItems({ theme, language }: Appearance, texts: Texts, actions: MoreActions): MenuItemConstructorOptions[] {
  const choices = <T extends string>(names: Record<T, string>, chosen: T, choose: (value: T) => void) =>
    (Object.keys(names) as T[]).map((value) => ({
      label: names[value],
      type: 'radio' as const,
      checked: value === chosen,
      click: () => choose(value),
    }));
  return [
    { label: texts.theme, submenu: choices(texts.themes, theme, (value) => actions.setAppearance({ theme: value })) },
    { label: texts.language, submenu: choices(texts.languages, language, (value) => actions.setAppearance({ language: value })) },
  ];
}

/** An item with a mark that shows the state: a click only asks for a change, which may be refused. */
export function checkbox(label: string, checked: boolean, enabled: boolean, change: () => void): MenuItemConstructorOptions {
  const click = (item: Electron.MenuItem) => {
    item.checked = checked;
    change();
  };
  return { label, type: 'checkbox', checked, enabled, click };
}

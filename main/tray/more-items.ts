import type { MenuItemConstructorOptions } from 'electron';
import type { StartAtLoginState } from '#api/desktop/startup.ts';
import { isTurnedOn } from '#main/base/system/start-at-login.ts';
import type { Texts } from '#main/texts/en.ts';

export interface MoreActions {
  setStartAtLogin(on: boolean): void;
  openLogFolder(): void;
}

/** What is rarely needed, in a submenu. */
export function moreItems(
  { startAtLogin }: { startAtLogin: StartAtLoginState },
  texts: Texts,
  actions: MoreActions,
): MenuItemConstructorOptions {
  const isOn = isTurnedOn(startAtLogin);
  return {
    label: texts.more,
    submenu: [
      checkbox(texts.startAtLogin, isOn, startAtLogin !== 'unavailable', () => actions.setStartAtLogin(!isOn)),
      { label: texts.openLogFolder, click: actions.openLogFolder },
    ],
  };
}

/** An item with a mark that shows the state: a click only asks for a change, which may be refused. */
export function checkbox(label: string, checked: boolean, enabled: boolean, change: () => void): MenuItemConstructorOptions {
  const click = (item: Electron.MenuItem) => {
    item.checked = checked;
    change();
  };
  return { label, type: 'checkbox', checked, enabled, click };
}

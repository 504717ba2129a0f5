import type { MenuItemConstructorOptions } from 'electron';
import type { Texts } from '#main/texts/en.ts';

export interface MoreActions {
  setStartAtLogin(on: boolean): void;
  openLogFolder(): void;
}

/** What is rarely needed, in a submenu. */
export function moreItems(state: { startAtLogin: boolean }, texts: Texts, actions: MoreActions): MenuItemConstructorOptions {
  return {
    label: texts.more,
    submenu: [
      {
        label: texts.startAtLogin,
        type: 'checkbox',
        checked: state.startAtLogin,
        click: () => actions.setStartAtLogin(!state.startAtLogin),
      },
      { label: texts.openLogFolder, click: actions.openLogFolder },
    ],
  };
}

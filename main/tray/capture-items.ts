import type { MenuItemConstructorOptions } from 'electron';
import type { ShortcutState } from '#api/desktop/preferences.ts';
import type { Texts } from '#main/texts/en.ts';

type Items = MenuItemConstructorOptions[];

/** A shortcut as the tray shows it. */
interface ShownShortcut {
  keys: string | null;
  state: ShortcutState;
}

export interface CaptureState {
  shortcuts: { upload: ShownShortcut; capture: ShownShortcut };
}

export interface CaptureActions {
  /** `inverted`: with the key for what the user didn't choose. */
  captureScreen(inverted: boolean): void;
  showDropWindow(): void;
  uploadClipboard(inverted: boolean): void;
}

/** Uploading the screen or the clipboard, with the shortcuts that work. */
export function captureItems({ shortcuts }: CaptureState, texts: Texts, actions: CaptureActions): Items {
  return [
    { label: texts.captureScreen, click: (...click) => actions.captureScreen(isInverted(click)), ...acceleratorOf(shortcuts.capture) },
    { label: texts.uploadClipboard, click: (...click) => actions.uploadClipboard(isInverted(click)), ...acceleratorOf(shortcuts.upload) },
  ];
}

type Click = Parameters<NonNullable<MenuItemConstructorOptions['click']>>;

/** Whether the user held Alt. Some panels of Linux don't report keys. */
function isInverted([, , event]: Partial<Click> | []): boolean {
  return event?.altKey === true;
}

/** Only a hint: the menu itself must not register it. */
function acceleratorOf({ keys, state }: ShownShortcut): MenuItemConstructorOptions {
  return keys && (state === 'active' || state === 'unchecked') ? { accelerator: keys, registerAccelerator: false } : {};
}

/** The shortcuts that other programs hold. */
export function refusedShortcutItems({ shortcuts }: CaptureState, texts: Texts): Items {
  const refused = [shortcuts.upload, shortcuts.capture].filter(({ state }) => state === 'refused');
  return refused.map(({ keys }) => ({ label: texts.shortcutTaken(keys ?? ''), enabled: false }));
}

export function dropWindowItem(texts: Texts, actions: CaptureActions): MenuItemConstructorOptions {
  return { label: texts.showDropWindow, click: actions.showDropWindow };
}

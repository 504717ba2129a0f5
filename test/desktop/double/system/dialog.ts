import type { Dialog, MessageBoxOptions, OpenDialogOptions, SaveDialogOptions } from 'electron';
import { requireReady } from '#test/desktop/double/machine.ts';
import { isHostile } from '#test/desktop/double/traits.ts';
import { BrowserWindow } from '#test/desktop/double/windows/browser-window.ts';

const BOX_TYPES: readonly unknown[] = ['none', 'info', 'warning', 'error', 'question'];
/** Options that must be texts, as Electron's errors name them. */
const FILE_TEXTS = {
  title: 'Title',
  buttonLabel: 'Button label',
  defaultPath: 'Default path',
  message: 'Message',
  nameFieldLabel: 'Name field label',
};
const BOX_TEXTS = { title: 'Title', message: 'Message', detail: 'Detail', checkboxLabel: 'checkboxLabel' };

/** A window may come before the options. */
function optionsOf<Options extends object>(given: readonly unknown[]): Options {
  requireReady('dialog module can only be used after app is ready');
  const [first, second] = given;
  return ((first && !(first instanceof BrowserWindow) ? first : second) ?? {}) as Options;
}

function requireTexts(options: object, names: Readonly<Record<string, string>>) {
  for (const [key, name] of Object.entries(names)) {
    const value = (options as Record<string, unknown>)[key] ?? '';
    if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
  }
}

/** The button that stands for closing the box. Electron looks for one only if the app names none. */
function cancelButton({ buttons = [], cancelId, defaultId }: MessageBoxOptions): number {
  if (cancelId !== undefined) return cancelId;
  const named = buttons.findIndex((button) => /^(?:cancel|no)$/i.test(button));
  if (named >= 0) return named;
  return defaultId === 0 && buttons.length > 1 ? 1 : 0;
}

/** The user cancels. */
function respond(...given: unknown[]): number {
  const options = optionsOf<MessageBoxOptions>(given);
  const { type = 'none', buttons = [] } = options;
  if (!BOX_TYPES.includes(type)) throw new TypeError('Invalid message box type');
  if (!Array.isArray(buttons)) throw new TypeError('Buttons must be an array');
  requireTexts(options, BOX_TEXTS);
  if (isHostile('dialogs-fail')) throw new Error('The message box could not be shown');
  return cancelButton(options);
}

/** Dialogs that aren't shown. Tests replace them to choose what the user does. Wrong options throw at once, instead of rejecting. */
export const dialog = {
  showOpenDialog(...given: unknown[]) {
    const options = optionsOf<OpenDialogOptions>(given);
    if (!Array.isArray(options.properties ?? [])) throw new TypeError('Properties must be an array');
    requireTexts(options, FILE_TEXTS);
    return Promise.resolve({ canceled: true, filePaths: [] as string[] });
  },
  showSaveDialog(...given: unknown[]) {
    requireTexts(optionsOf<SaveDialogOptions>(given), FILE_TEXTS);
    return Promise.resolve({ canceled: true, filePath: '' });
  },
  showMessageBox: (...given: unknown[]) => Promise.resolve({ response: respond(...given), checkboxChecked: false as boolean }),
  showMessageBoxSync: respond,
  showErrorBox(...given: string[]) {
    if (given.length < 2) throw new TypeError('Insufficient number of arguments.');
    const wrong = given.slice(0, 2).findIndex((text) => typeof text !== 'string');
    if (wrong >= 0) throw new TypeError(`Error processing argument at index ${wrong}, conversion failure from ${given[wrong]}`);
    console.error(given.join(': '));
  },
} satisfies Pick<Dialog, 'showOpenDialog' | 'showSaveDialog' | 'showMessageBox' | 'showMessageBoxSync' | 'showErrorBox'>;

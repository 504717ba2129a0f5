import type { Dialog, MessageBoxOptions } from 'electron';
import { isHostile } from '#test/desktop/double/traits.ts';

/** The user cancels. A window may come first. */
function respond(...given: unknown[]): number {
  if (isHostile('dialogs-fail')) throw new Error('The message box could not be shown');
  const { buttons = [], cancelId } = given.at(-1) as MessageBoxOptions;
  return cancelId ?? Math.max(0, buttons.length - 1);
}

/** Dialogs that aren't shown. Tests replace them to choose what the user does. */
export const dialog = {
  showOpenDialog: async () => ({ canceled: true, filePaths: [] as string[] }),
  showSaveDialog: async () => ({ canceled: true, filePath: '' }),
  showMessageBox: async (...given: unknown[]) => ({ response: respond(...given), checkboxChecked: false as boolean }),
  showMessageBoxSync: respond,
  showErrorBox(title: string, content: string) {
    console.error(`${title}: ${content}`);
  },
} satisfies Pick<Dialog, 'showOpenDialog' | 'showSaveDialog' | 'showMessageBox' | 'showMessageBoxSync' | 'showErrorBox'>;

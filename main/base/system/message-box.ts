import { BrowserWindow, dialog, type MessageBoxOptions } from 'electron';

/** A message box whose user can always say no. */
interface Options extends MessageBoxOptions {
  cancelId: number;
}

/**
 * Shows a message box and resolves to the number of the button that was clicked; the app keeps working meanwhile. Never rejects: a box that
 * can't be shown counts as cancelled.
 */
export async function messageBox(options: Options, platform = process.platform): Promise<number> {
  try {
    const parent = platform === 'darwin' ? visibleWindow() : undefined;
    const { response } = await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options));
    return response;
  } catch (error) {
    console.error(`Couldn’t show a message box: ${options.message}`, error);
    return options.cancelId;
  }
}

/** On macOS, the whole app would wait for a box without a window, and one on a hidden window can't be closed. */
function visibleWindow(): BrowserWindow | undefined {
  const windows = BrowserWindow.getAllWindows();
  const window = windows.find((each) => each.isVisible()) ?? windows[0];
  if (window?.isMinimized()) window.restore();
  if (window && !window.isVisible()) window.showInactive();
  return window;
}

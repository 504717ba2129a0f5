import type { BrowserWindow } from 'electron';
import { messageBox } from '#main/base/system/message-box.ts';
import type { Texts } from '#main/texts/en.ts';

/** Reloads within that time, after which the user is asked. */
export const MAX_RELOADS = 3;
export const WITHIN_MS = 60_000;

/** Reloads a page that has crashed. When it keeps crashing, asks the user, once they see the window. */
export function reloadAfterCrash(window: BrowserWindow, texts: () => Texts, now: () => number = Date.now): void {
  const contents = window.webContents;
  let crashes: number[] = [];
  let isBroken = false;
  let isAsking = false;

  async function ask() {
    if (isAsking) return;
    isAsking = true;
    const { pageCrashes: message, pageCrashesDetail: detail, reload, closeWindow } = texts();
    const buttons = [reload, closeWindow];
    const button = await messageBox({ type: 'warning', message, detail, buttons, defaultId: 0, cancelId: 1 });
    isAsking = false;
    if (window.isDestroyed()) return;
    if (button !== 0) return window.close(); // the next time it is shown, it asks again
    crashes = [];
    contents.reload();
  }

  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    console.error('A window’s page crashed:', reason);
    crashes = [...crashes.filter((at) => now() - at < WITHIN_MS), now()];
    isBroken = crashes.length > MAX_RELOADS;
    if (!isBroken) contents.reload();
    else if (window.isVisible()) void ask();
  });
  // Another page may have been opened, when the service has restarted.
  contents.on('did-finish-load', () => {
    isBroken = false;
  });
  window.on('show', () => isBroken && void ask());
}

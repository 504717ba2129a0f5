import { app, type BrowserWindow, dialog, powerMonitor } from 'electron';
import type { Texts } from './texts/en.ts';

/** Whether the app is quitting. */
export interface Quitting {
  begun(): boolean;
  /** Asks whether the page's uploads may be lost; if not, the app keeps running. Never asks while the user's session ends. */
  confirm(texts: Texts): boolean;
  /** Finishes uploads in progress before the app quits. */
  drain(options: DrainOptions): void;
}

/** Milliseconds that uploads in progress have to finish before the service is asked to stop; they continue at the next start. */
const UPLOAD_LIMIT = 5_000;

interface DrainOptions {
  /** Windows (the system) reports the end of the session only to windows. */
  window: BrowserWindow | undefined;
  closeUploads(): Promise<void>;
  stopService(): Promise<unknown>;
  /** Called before uploads are interrupted by a user who quits. */
  onBegin(): void;
}

/**
 * The tray keeps the app running without windows; quitting waits for uploads and the service. When the user logs off or the
 * computer shuts down, it waits for neither: a delayed program would cancel that, and the journal and the database survive it.
 */
export function setupQuit(): Quitting {
  let begun = false;
  let drained = false;
  let sessionEnds = false;
  app.on('before-quit', () => {
    begun = true;
  });
  app.on('window-all-closed', () => undefined); // the default would quit

  return {
    begun: () => begun,
    confirm(texts) {
      if (sessionEnds) return true;
      const buttons = [texts.keepUploading, texts.quitAnyway];
      const choice = dialog.showMessageBoxSync({ type: 'question', message: texts.quitQuestion, buttons, defaultId: 0, cancelId: 0 });
      begun = choice === 1;
      return begun;
    },
    drain({ window, closeUploads, stopService, onBegin }) {
      const report = (error: unknown) => console.error('Quitting did not end everything:', error);
      const endSession = () => {
        if (sessionEnds) return;
        begun = true;
        sessionEnds = true;
        closeUploads().catch(report);
        stopService().catch(report);
      };
      powerMonitor.on('shutdown', endSession);
      window?.on('session-end', endSession);

      let draining = false;
      app.on('will-quit', (event) => {
        if (drained || sessionEnds) return;
        event.preventDefault();
        if (draining) return; // quitting again while it drains
        draining = true;
        onBegin();
        void Promise.race([closeUploads(), new Promise((resolve) => setTimeout(resolve, UPLOAD_LIMIT))])
          .catch(report)
          .then(stopService)
          .catch(report)
          .finally(() => {
            drained = true;
            app.quit();
          });
      });
    },
  };
}

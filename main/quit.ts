import { app, dialog } from 'electron';
import type { Texts } from './texts/en.ts';

/** Whether the app is quitting. */
export interface Quitting {
  begun(): boolean;
  /** Asks whether the page's uploads may be lost; if not, the app keeps running. */
  confirm(texts: Texts): boolean;
  /** Finishes uploads in progress before the app quits. */
  drain(options: DrainOptions): void;
}

/** Milliseconds that uploads in progress have to finish before the service is asked to stop. */
const UPLOAD_LIMIT = 5_000;

interface DrainOptions {
  closeUploads(): Promise<void>;
  stopService(): Promise<unknown>;
}

/** The tray keeps the app running without windows; quitting waits for uploads and the service. */
export function setupQuit(): Quitting {
  let begun = false;
  let drained = false;
  app.on('before-quit', () => {
    begun = true;
  });
  app.on('window-all-closed', () => undefined); // the default would quit

  return {
    begun: () => begun,
    confirm(texts) {
      const buttons = [texts.keepUploading, texts.quitAnyway];
      const choice = dialog.showMessageBoxSync({ type: 'question', message: texts.quitQuestion, buttons, defaultId: 0, cancelId: 0 });
      begun = choice === 1;
      return begun;
    },
    drain({ closeUploads, stopService }) {
      app.on('will-quit', (event) => {
        if (drained) return;
        event.preventDefault();
        void Promise.race([closeUploads(), new Promise((resolve) => setTimeout(resolve, UPLOAD_LIMIT))])
          .then(stopService)
          .finally(() => {
            drained = true;
            app.quit();
          });
      });
    },
  };
}

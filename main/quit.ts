import { app } from 'electron';

/** Whether the app is on its way out. */
export interface Quitting {
  begun(): boolean;
}

/** What is on its way gets this long to finish, in milliseconds, before the service is asked to end. */
const UPLOAD_LIMIT = 5_000;

interface Options {
  closeUploads(): Promise<void>;
  stopService(): Promise<void>;
}

/** The tray keeps the app running without windows; quitting first lets uploads and service finish. */
export function setupQuit(): Quitting & { drain(options: Options): void } {
  let begun = false;
  let drained = false;
  app.on('before-quit', () => {
    begun = true;
  });
  app.on('window-all-closed', () => undefined); // the default would quit

  return {
    begun: () => begun,
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

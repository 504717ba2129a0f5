import { app, dialog } from 'electron';

/** Starts the app once Electron is ready. A failure to start is shown in a dialog and ends the app with code 1. */
export function startOrExplain(start: () => void | Promise<void>): void {
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      console.error(error);
      dialog.showErrorBox('Pixdock can’t start', error instanceof Error ? error.message : String(error));
      app.exit(1);
    });
}

import { app, dialog } from 'electron';
import { describe } from './base/reasons.ts';
import { textsFor } from './texts/texts.ts';

/** Starts the app once Electron is ready. A failure to start is shown in a dialog and ends the app with code 1. */
export function startOrExplain(start: () => void | Promise<void>): void {
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      console.error(error);
      const texts = textsFor('system', app.getLocale()); // the preferences may be what can't be read
      dialog.showErrorBox(texts.cantStart, describe(error, texts));
      app.exit(1);
    });
}

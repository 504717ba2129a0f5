import { EventEmitter } from 'node:events';
import { app, type BrowserWindow, dialog, powerMonitor } from 'electron';
import { relaunch } from '#main/base/system/relaunch.ts';
import type { Texts } from './texts/en.ts';

/** `again`: it is quitting and starts again afterwards. */
export type QuitState = 'running' | 'quitting' | 'again';

/** Whether the app is quitting. */
export interface Quitting {
  begun(): boolean;
  state(): QuitState;
  onChange(listener: () => void): void;
  /** Starts the app again once it has quit, on a page of the web application if one is given. */
  startAgain(page?: string): void;
  /** Asks whether the page's uploads may be lost; if not, the app keeps running. Never asks while the user's session ends. */
  confirm(texts: Texts): boolean;
  /** Finishes uploads in progress before the app quits. */
  drain(options: DrainOptions): void;
}

/** The time that uploads in progress have to finish before the service is asked to stop; they continue at the next start. */
const UPLOAD_LIMIT_MS = 5_000;

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
 * @param program to start again, if it isn't the running one
 */
export function setupQuit(program: string | undefined): Quitting {
  const events = new EventEmitter<{ change: [] }>();
  let state: QuitState = 'running';
  let nextPage: string | undefined;
  let drained = false;
  let sessionEnds = false;
  const become = (next: QuitState) => {
    if (state === next) return;
    state = next;
    events.emit('change');
  };
  const begin = () => become(state === 'running' ? 'quitting' : state);
  app.on('before-quit', begin);
  app.on('window-all-closed', () => undefined); // the default would quit

  return {
    begun: () => state !== 'running',
    state: () => state,
    onChange: (listener) => void events.on('change', listener),
    startAgain(page) {
      nextPage = page ?? nextPage;
      become('again');
    },
    confirm(texts) {
      if (sessionEnds) return true;
      const mayQuit = mayLoseUploads(texts);
      if (!mayQuit) become('running');
      return mayQuit;
    },
    drain({ window, closeUploads, stopService, onBegin }) {
      const report = (error: unknown) => console.error('Shutdown incomplete:', error);
      const endSession = () => {
        if (sessionEnds) return;
        begin();
        sessionEnds = true;
        closeUploads().catch(report);
        stopService().catch(report);
      };
      powerMonitor.on('shutdown', endSession);
      window?.on('session-end', endSession);

      let draining = false;
      app.on('will-quit', (event) => {
        if (sessionEnds) return;
        if (drained) {
          if (state === 'again') relaunch(program, nextPage === undefined ? [] : [`pixdock://open${nextPage}`]);
          return;
        }
        event.preventDefault();
        if (draining) return; // quitting again while it drains
        draining = true;
        onBegin();
        void Promise.race([closeUploads(), new Promise((resolve) => setTimeout(resolve, UPLOAD_LIMIT_MS))])
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

function mayLoseUploads({ quitQuestion: message, keepUploading, quitAnyway }: Texts): boolean {
  try {
    const buttons = [keepUploading, quitAnyway];
    return dialog.showMessageBoxSync({ type: 'question', message, buttons, defaultId: 0, cancelId: 0 }) === 1;
  } catch (error) {
    console.error('Quitting cancelled, because the question about uploads couldn’t be shown:', error);
    return false;
  }
}

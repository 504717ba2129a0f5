import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EditorsStatus } from '#api/desktop/editors.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import type { Ipc } from '#main/ipc.ts';
import { editorsApp } from './app.ts';
import { formReader } from './upload-request.ts';
import type { EditorUploads } from './uploads.ts';

/** The time that the program on the port has to identify itself as an uploader. */
const HEARTBEAT_LIMIT_MS = 2_000;

interface Options {
  ipc: Ipc;
  port: number;
  /** Absolute path of the folder for uploaded files; emptied at each start. */
  folder: string;
  preferences: PreferenceStore;
  uploads: EditorUploads;
  describe(error: unknown): string;
}

/** Listens for editors on this computer while the setting is on. A taken port is reported and never replaced: editors use only this one. */
export function setupEditors(options: Options): void {
  const { ipc, preferences } = options;
  let server: Server | undefined;
  let current: EditorsStatus = { state: 'off' };

  async function open() {
    try {
      const opened = createServer(
        editorsApp({ ...options, open: () => preferences.get().editors, storeFiles: await formReader(options.folder) }),
      );
      opened.listen(options.port, '127.0.0.1');
      await once(opened, 'listening');
      server = opened;
      current = { state: 'on', url: `http://127.0.0.1:${(opened.address() as AddressInfo).port}` };
    } catch (error) {
      current = await explain(error, options.port);
    }
  }

  function close() {
    server?.close();
    server?.closeIdleConnections();
    server = undefined;
    current = { state: 'off' };
  }

  /** Applies changes in order, so that the last one wins. */
  let work = Promise.resolve();
  function apply() {
    work = work.then(async () => {
      const isOn = preferences.get().editors;
      if (isOn && !server) await open();
      if (!isOn && current.state !== 'off') close();
    });
    return work;
  }

  preferences.onChange(() => void apply());
  void apply();
  ipc.handle({
    async getEditorsStatus() {
      await apply(); // tries a port again that was taken
      return current;
    },
  });
}

async function explain(error: unknown, port: number): Promise<EditorsStatus> {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return { state: 'taken', by: (await isUploader(port)) ? 'uploader' : 'other', port };
  console.error('Couldn’t listen for editors:', error);
  return { state: 'failed', detail: error instanceof Error ? error.message : String(error) };
}

async function isUploader(port: number) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/heartbeat`, { method: 'POST', signal: AbortSignal.timeout(HEARTBEAT_LIMIT_MS) });
    const body = (await response.json()) as { success?: unknown };
    return body.success === true;
  } catch {
    return false;
  }
}

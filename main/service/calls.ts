import { shell } from 'electron';
import type { Logs } from '#main/base/files/logs.ts';
import type { Ipc } from '#main/ipc.ts';
import { presentLogLine } from '#server/platform/base/log-lines.ts';
import type { ServiceProcess } from './server-process.ts';

/** How many lines of the log the status page shows. */
const SHOWN_LINES = 30;

interface Parts {
  logs: Logs;
  service: Pick<ServiceProcess, 'status' | 'onStatus' | 'retry'>;
}

/** Handles the calls about the service, and reports its status to pages. */
export function connectService(ipc: Ipc, { logs, service }: Parts): void {
  service.onStatus((status) => ipc.tell('serviceStatus', status));
  ipc.handle({
    getServiceStatus: () => service.status(),
    retryService: () => void service.retry(),
    getServiceLog: async () => (await logs.lastServiceLines(SHOWN_LINES)).map(presentLogLine),
    openLogFolder: () => openLogFolder(logs),
  });
}

/** @throws Error with the system's reason */
async function openLogFolder({ folder }: Pick<Logs, 'folder'>): Promise<undefined> {
  const failure = await shell.openPath(folder);
  if (failure) throw new Error(failure);
}

/** Shows the log files in the system's file manager. */
export function showLogFolder(logs: Pick<Logs, 'folder'>): void {
  openLogFolder(logs).catch((error: unknown) => console.error('Couldn’t open the log folder:', error));
}

import { shell } from 'electron';
import type { Logs } from '#main/base/logs.ts';
import type { Handlers } from '#main/ipc.ts';
import { presentLogLine } from '#server/platform/base/log-lines.ts';
import { type Account, albumsOf } from './account.ts';
import type { LocalAccount } from './local-account.ts';
import type { ServiceProcess } from './server-process.ts';

/** How many lines of the log the status page shows. */
const SHOWN_LINES = 30;

interface Parts {
  logs: Logs;
  service: Pick<ServiceProcess, 'status' | 'retry'>;
  /** What main uploads with. */
  account: Account;
  /** The same, as an account of the service; undefined while another Pixdock server is joined. */
  local: LocalAccount | undefined;
}

type Calls = 'getServiceStatus' | 'retryService' | 'getServiceLog' | 'openLogFolder' | 'getAccounts' | 'getAlbums';

/** Handlers of the calls about the service and the account that main uploads with. */
export function serviceHandlers({ logs, service, account, local }: Parts): Pick<Handlers, Calls> {
  return {
    getServiceStatus: () => service.status(),
    retryService: () => void service.retry(),
    getServiceLog: async () => (await logs.lastServiceLines(SHOWN_LINES)).map(presentLogLine),
    openLogFolder: () => openLogFolder(logs),
    getAccounts: () => local?.choices() ?? [],
    getAlbums: async () => (await albumsOf(account)).map(({ id, name }) => ({ id, name })),
  };
}

/** @throws Error with the system's reason */
async function openLogFolder({ folder }: Pick<Logs, 'folder'>): Promise<undefined> {
  const failure = await shell.openPath(folder);
  if (failure) throw new Error(failure);
}

/** Shows the log files in the system's file manager. */
export function showLogFolder(logs: Pick<Logs, 'folder'>): void {
  openLogFolder(logs).catch((error: unknown) => console.error('The log folder could not be opened:', error));
}

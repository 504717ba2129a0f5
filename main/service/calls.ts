import type { Handlers } from '#main/ipc.ts';
import type { LocalAccount } from './local-account.ts';
import type { ServiceProcess } from './server-process.ts';

interface Parts {
  service: Pick<ServiceProcess, 'status' | 'retry'>;
  account: LocalAccount;
}

type Calls = 'getServiceStatus' | 'retryService' | 'getAccounts';

/** Handlers of the calls about the service and the account that main uploads with. */
export function serviceHandlers({ service, account }: Parts): Pick<Handlers, Calls> {
  return {
    getServiceStatus: () => service.status(),
    retryService: () => void service.retry(),
    getAccounts: () => account.choices(),
  };
}

import { pathToFileURL } from 'node:url';
import type { PageKind } from '#main/ipc.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';

/** Tells our own pages from all others by their address. `serviceUrl`: the running service's, if there is one. */
export function pageKindOf(address: string, statusPage: string, serviceUrl: string | undefined): PageKind {
  const url = URL.parse(address);
  if (!url) return null;
  if (serviceUrl && url.origin === new URL(serviceUrl).origin) return 'app';
  const status = pathToFileURL(statusPage);
  return url.protocol === 'file:' && url.pathname === status.pathname && url.host === status.host ? 'status' : null;
}

/** Whether an address may be given to the system to open: what a browser or mail program handles, and nothing that starts programs. */
export function opensOutside(address: string): boolean {
  return ['http:', 'https:', 'mailto:'].includes(URL.parse(address)?.protocol ?? '');
}

/** The same for the service as it runs now. */
export function pageKinds(statusPage: string, service: Pick<ServiceProcess, 'status'>) {
  return (address: string): PageKind => {
    const status = service.status();
    return pageKindOf(address, statusPage, status.state === 'running' ? status.url : undefined);
  };
}

import { pathToFileURL } from 'node:url';
import type { PageKind } from '#main/ipc.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';

/** Identifies our own pages by their address. `serviceUrl`: the address of the running service, if any. */
export function pageKindOf(address: string, statusPage: string, serviceUrl: string | undefined): PageKind {
  const url = URL.parse(address);
  if (!url) return null;
  if (serviceUrl && url.origin === new URL(serviceUrl).origin) return 'app';
  const status = pathToFileURL(statusPage);
  return url.protocol === 'file:' && url.pathname === status.pathname && url.host === status.host ? 'status' : null;
}

/** Whether the system may open an address: only schemes for browsers and mail, none that start programs. */
export function opensOutside(address: string): boolean {
  return ['http:', 'https:', 'mailto:'].includes(URL.parse(address)?.protocol ?? '');
}

/** The same for the service that runs now. */
export function pageKinds(statusPage: string, service: Pick<ServiceProcess, 'status'>) {
  return (address: string): PageKind => {
    const status = service.status();
    return pageKindOf(address, statusPage, status.state === 'running' ? status.url : undefined);
  };
}

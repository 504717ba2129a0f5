import { pathToFileURL } from 'node:url';
import type { AppPaths } from '#main/base/files/paths.ts';
import type { PageKind } from '#main/ipc.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';

/** Identifies our own pages by their address. `serviceUrl`: the address of the running service, if any. */
export function pageKindOf(address: string, statusPage: string, serviceUrl: string | undefined): PageKind {
  const url = URL.parse(address);
  if (!url) return null;
  if (serviceUrl && url.origin === new URL(serviceUrl).origin) return 'app';
  return isPackagedPage(address, statusPage) ? 'status' : null;
}

/** Whether an address is that of a packaged page, given by its absolute path. */
export function isPackagedPage(address: string, path: string, platform: NodeJS.Platform = process.platform): boolean {
  const windows = platform === 'win32';
  const [url, page] = [URL.parse(address), pathToFileURL(path, { windows })];
  if (url?.protocol !== 'file:' || url.host !== page.host) return false;
  // Chromium writes the drive's letter in upper case, whatever its case was when the app started.
  const same = (pathname: string) => (windows ? pathname.toLowerCase() : pathname);
  return same(url.pathname) === same(page.pathname);
}

/** Whether the system may open an address: only schemes for browsers and mail, none that start programs. */
export function opensOutside(address: string): boolean {
  return ['http:', 'https:', 'mailto:'].includes(URL.parse(address)?.protocol ?? '');
}

/** The same for the service that runs now; while another Pixdock server is joined, the page about it instead. */
export function pageKinds({ statusPage, joinedPage }: AppPaths, service: Pick<ServiceProcess, 'status'>, isJoined: boolean) {
  return (address: string): PageKind => {
    if (isJoined) return isPackagedPage(address, joinedPage) ? 'joined' : null;
    const status = service.status();
    return pageKindOf(address, statusPage, status.state === 'running' ? status.url : undefined);
  };
}

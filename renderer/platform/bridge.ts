import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { ServiceStatus } from '#api/desktop/service.ts';
import type { AccountLinkFormat } from '#api/sharing/link-formats.ts';
import type { Preferences } from '#renderer/preferences/preference-values.ts';

declare global {
  interface Window {
    pixdock?: DesktopBridge;
  }
}

/** The bridge if the page runs in the desktop window. The web application is complete without it. */
export function desktopBridge(): DesktopBridge | undefined {
  return window.pixdock;
}

/** False on the desktop app's packaged pages: no service stands behind them, only main. */
export const isServed = () => location.protocol !== 'file:';

interface Shared {
  language?: Preferences['language'];
  colours?: 'auto' | 'light' | 'dark';
  linkFormat?: AccountLinkFormat;
  linkTemplate?: string;
}

/** Passes a changed language, colours or style of links to the desktop's windows, tray and notifications. */
export async function sendToDesktop({ linkFormat, linkTemplate, language, colours }: Shared): Promise<void> {
  await desktopBridge()?.setPreferences({
    ...(language && { language: language === 'auto' ? 'system' : language }),
    ...(colours && { theme: colours === 'auto' ? 'system' : colours }),
    // The tray has no other formats.
    ...(linkFormat && linkFormat !== 'thumbnail' && linkFormat !== 'share_page' && { linkFormat }),
    ...(linkTemplate && { linkTemplate }),
  });
}

/** Calls back when the desktop app makes links start with another address. Returns a function that unsubscribes. */
export function onLinkAddress(listener: () => void): () => void {
  const bridge = desktopBridge();
  if (!bridge) return () => undefined;
  let last: string | undefined;
  const look = (status: ServiceStatus) => {
    if (status.state !== 'running') return;
    if (last !== undefined && last !== status.linkAddress) listener();
    last = status.linkAddress;
  };
  // Without it the first change would go unnoticed; if it fails, the next one is noticed.
  bridge.getServiceStatus().then(look, (error: unknown) => console.error(error));
  return bridge.onServiceStatus(look);
}

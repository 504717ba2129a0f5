import type { PermissionCheckHandlerHandlerDetails, Session, WebContents } from 'electron';
import type { CDPSession } from 'playwright';

type Descriptor = Parameters<CDPSession['send']>[1];
type RequestHandler = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>;
type CheckHandler = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>;
type Permission = Parameters<RequestHandler>[1];

/** Permissions that Chromium's protocol knows, by Electron's names. */
const DESCRIPTORS: Readonly<Partial<Record<Permission, Descriptor>>> = {
  'clipboard-sanitized-write': { name: 'clipboard-write', allowWithoutSanitization: false },
  'clipboard-read': { name: 'clipboard-read' },
  geolocation: { name: 'geolocation' },
  midi: { name: 'midi', sysex: false },
  notifications: { name: 'notifications' },
  'screen-wake-lock': { name: 'screen-wake-lock' },
  'window-management': { name: 'window-management' },
};

/** The handlers of a session. As in Electron, whatever has no handler is granted. */
export class Permissions {
  #request: RequestHandler | null = null;
  #check: CheckHandler | null = null;

  readonly setRequestHandler = (handler: RequestHandler | null): void => {
    this.#request = handler;
  };

  readonly setCheckHandler = (handler: CheckHandler | null): void => {
    this.#check = handler;
  };

  /** Whether the main frame of a page gets a permission. Electron asks the one handler for its state and the other one for its use. */
  async isGranted(contents: WebContents, permission: Permission, url: string): Promise<boolean> {
    const details = { isMainFrame: true, requestingUrl: url };
    const origin = originOf(url);
    const isChecked = this.#check?.(contents, permission, origin, details as PermissionCheckHandlerHandlerDetails) ?? true;
    const request = this.#request;
    const isRequested = request
      ? await new Promise<boolean>((resolve) => request(contents, permission, resolve, details as Parameters<RequestHandler>[3]))
      : true;
    return isChecked && isRequested;
  }

  /** Sets the permissions of a page before it is there. */
  async apply(browser: CDPSession, contents: WebContents, url: string): Promise<void> {
    if (url === 'about:blank') return;
    for (const [name, permission] of Object.entries(DESCRIPTORS) as [Permission, Descriptor][]) {
      const setting = (await this.isGranted(contents, name, url)) ? 'granted' : 'denied';
      await browser.send('Browser.setPermission', { permission, setting, origin: originOf(url) } as never);
    }
  }
}

/** As Electron writes it: `file:///` for packaged pages. */
function originOf(url: string): string {
  const { protocol, origin } = new URL(url);
  return protocol === 'file:' ? 'file:///' : `${origin}/`;
}

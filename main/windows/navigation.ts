import { type Session, shell, type WebContents } from 'electron';
import type { PageKind } from '#main/ipc.ts';
import { opensOutside } from './pages.ts';

/** What our own pages may do: copy pictures. Texts go through the app. Only the page that records sees the screen, and hears the microphone. */
const PERMISSIONS: readonly string[] = ['clipboard-sanitized-write'];
const RECORDING: readonly string[] = ['display-capture', 'media'];

/** The pages of each window that is guarded. */
const guarded = new WeakMap<WebContents, (url: string) => PageKind>();

/** Keeps the window on our own pages: all others open in the user's browser. Only ours get permissions, and few. */
export function guardNavigation(contents: WebContents, pageKind: (url: string) => PageKind) {
  const guard = (event: { url: string; preventDefault(): void }) => {
    if (pageKind(event.url) === 'app') return;
    event.preventDefault();
    openOutside(event.url);
  };
  contents.on('will-navigate', guard);
  // A page of ours may redirect elsewhere, such as to a sign-on provider.
  contents.on('will-redirect', (event) => event.isMainFrame && guard(event));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: 'deny' };
  });
  guarded.set(contents, pageKind);
  limitPermissions(contents.session);
}

/** Opens a page in the user's browser. */
export function openOutside(url: string) {
  if (!opensOutside(url)) return;
  shell.openExternal(url).catch((error: unknown) => console.error(`Couldn’t open ${url}:`, error));
}

/** All windows share a session, so its handlers find out which window asks. Chromium asks the one for a state, the other before it is used. */
function limitPermissions(session: Session) {
  session.setPermissionRequestHandler((contents, permission, decide, asking) => decide(mayUse(contents, permission, asking)));
  session.setPermissionCheckHandler((contents, permission, _origin, asking) => mayUse(contents, permission, asking));
}

/** The frame that asks, as the browser knows it. */
interface Asking {
  isMainFrame: boolean;
  requestingUrl?: string;
}

function mayUse(contents: WebContents | null, permission: string, { isMainFrame, requestingUrl }: Asking): boolean {
  if (!contents || requestingUrl === undefined || !isMainFrame) return false;
  const kind = guarded.get(contents)?.(requestingUrl) ?? null;
  if (RECORDING.includes(permission)) return kind === 'record';
  return kind !== null && PERMISSIONS.includes(permission);
}

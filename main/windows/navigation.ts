import { type Session, shell, type WebContents } from 'electron';
import type { PageKind } from '#main/ipc.ts';
import { opensOutside } from './pages.ts';

/** Keeps the window on our own pages: all others open in the user's browser, and none gets permissions. */
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
  denyPermissions(contents.session);
}

/** Opens a page in the user's browser. */
export function openOutside(url: string) {
  if (!opensOutside(url)) return;
  shell.openExternal(url).catch((error: unknown) => console.error(`Couldn’t open ${url}:`, error));
}

function denyPermissions(session: Session) {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
}

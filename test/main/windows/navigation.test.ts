import { EventEmitter } from 'node:events';
import type { Session, WebContents } from 'electron';
import { expect, test, vi } from 'vitest';
import type { PageKind } from '#main/ipc.ts';
import { Permissions } from '#test/desktop/double/windows/permissions.ts';

const { openExternal } = vi.hoisted(() => ({ openExternal: vi.fn(() => Promise.resolve()) }));
vi.mock('electron', () => ({ shell: { openExternal } }));
const { guardNavigation } = await import('#main/windows/navigation.ts');

/** Sends a navigation to the guard; returns whether the window stays where it is. */
function navigate(name: 'will-navigate' | 'will-redirect', url: string, isMainFrame = true): boolean {
  const session = { setPermissionRequestHandler: () => undefined, setPermissionCheckHandler: () => undefined };
  const contents = Object.assign(new EventEmitter(), { session, setWindowOpenHandler: () => undefined });
  guardNavigation(contents as unknown as WebContents, (address) => (address.startsWith('http://127.0.0.1:7410/') ? 'app' : null));
  const preventDefault = vi.fn();
  contents.emit(name, { url, isMainFrame, preventDefault });
  return preventDefault.mock.calls.length > 0;
}

test.each(['will-navigate', 'will-redirect'] as const)('%s: other sites open in the browser', (name) => {
  openExternal.mockClear();
  expect(navigate(name, 'http://127.0.0.1:7410/albums')).toBe(false);
  expect(openExternal).not.toHaveBeenCalled();
  expect(navigate(name, 'https://login.example.org/authorize')).toBe(true);
  expect(openExternal).toHaveBeenCalledExactlyOnceWith('https://login.example.org/authorize');
  expect(navigate(name, 'file:///etc/passwd')).toBe(true);
  expect(openExternal).toHaveBeenCalledOnce();
});

test('what redirects inside a frame is left to the page’s content policy', () => {
  expect(navigate('will-redirect', 'https://example.org/', false)).toBe(false);
});

/** What the pages of two guarded windows and of a foreign one get. */
function permissionsOf() {
  const permissions = new Permissions();
  const session = {
    setPermissionRequestHandler: permissions.setRequestHandler,
    setPermissionCheckHandler: permissions.setCheckHandler,
  } as unknown as Session;
  const open = (own: string, kind: PageKind) => {
    const contents = Object.assign(new EventEmitter(), { session, setWindowOpenHandler: () => undefined }) as unknown as WebContents;
    guardNavigation(contents, (address) => (address.startsWith(own) ? kind : null));
    return contents;
  };
  const [app, drop] = [open('http://127.0.0.1:7410/', 'app'), open('file:///drop.html', 'drop')];
  const recording = open('file:///record.html', 'record');
  const stranger = new EventEmitter() as unknown as WebContents;
  const ask = (contents: WebContents, permission: Parameters<Permissions['isGranted']>[1], url: string) =>
    permissions.isGranted(contents, permission, url);
  return { app, drop, recording, stranger, ask };
}

test('our own pages may write pictures to the clipboard, and do nothing else that needs a permission', async () => {
  const { app, drop, stranger, ask } = permissionsOf();
  expect(await ask(app, 'clipboard-sanitized-write', 'http://127.0.0.1:7410/image/a')).toBe(true);
  expect(await ask(drop, 'clipboard-sanitized-write', 'file:///drop.html')).toBe(true);
  for (const permission of ['clipboard-read', 'geolocation', 'notifications', 'media', 'fullscreen', 'openExternal', 'fileSystem'] as const)
    expect(await ask(app, permission, 'http://127.0.0.1:7410/')).toBe(false);
  expect(await ask(app, 'clipboard-sanitized-write', 'https://example.org/')).toBe(false);
  expect(await ask(drop, 'clipboard-sanitized-write', 'http://127.0.0.1:7410/')).toBe(false);
  expect(await ask(stranger, 'clipboard-sanitized-write', 'http://127.0.0.1:7410/')).toBe(false);
});

test('only the page that records sees the screen and hears the microphone', async () => {
  const { app, drop, recording, ask } = permissionsOf();
  for (const permission of ['display-capture', 'media'] as const) {
    expect(await ask(recording, permission, 'file:///record.html')).toBe(true);
    expect(await ask(recording, permission, 'file:///drop.html')).toBe(false);
    expect(await ask(app, permission, 'http://127.0.0.1:7410/')).toBe(false);
    expect(await ask(drop, permission, 'file:///drop.html')).toBe(false);
  }
});

test('a frame in our pages gets none', () => {
  const asked: boolean[] = [];
  let check: Parameters<Session['setPermissionCheckHandler']>[0] = null;
  const session = {
    setPermissionRequestHandler: (handler: Parameters<Session['setPermissionRequestHandler']>[0]) =>
      handler?.(contents, 'clipboard-sanitized-write', (isGranted) => void asked.push(isGranted), {
        isMainFrame: false,
        requestingUrl: 'http://127.0.0.1:7410/',
      }),
    setPermissionCheckHandler: (handler: typeof check) => {
      check = handler;
    },
  };
  const contents = Object.assign(new EventEmitter(), { session, setWindowOpenHandler: () => undefined }) as unknown as WebContents;
  guardNavigation(contents, () => 'app');
  const frame = { isMainFrame: false, requestingUrl: 'http://127.0.0.1:7410/' };
  expect(asked).toEqual([false]);
  expect((check as unknown as (...given: unknown[]) => boolean)(contents, 'clipboard-sanitized-write', '', frame)).toBe(false);
});

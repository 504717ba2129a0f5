import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { expect, test, vi } from 'vitest';

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

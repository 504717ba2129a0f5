import { expect, it, vi } from 'vitest';
import { zh } from '#main/texts/zh.ts';
import { trayActions } from '#main/tray/tray-actions.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

type Parts = Parameters<typeof trayActions>[0];

/** The actions of a tray whose system refuses everything, and the notifications they show. */
function refusedActions() {
  const notify = vi.fn();
  const refuse = () => {
    throw new Error('Read-only file system');
  };
  const actions = trayActions({
    clipboard: { writeText: async () => refuse() },
    service: { status: () => ({ state: 'running', linkAddress: 'http://127.0.0.1:7410' }) },
    startAtLogin: { set: refuse },
    dropWindow: {},
    pins: {},
    folders: {},
    notify,
    texts: () => zh,
    explain: (error: unknown) => (error as Error).message,
  } as unknown as Parts);
  return { actions, notify };
}

it('reports a change of “Start at login” that the system refuses', () => {
  const { actions, notify } = refusedActions();
  const log = vi.spyOn(console, 'error').mockReturnValue();
  actions.setStartAtLogin(true);
  expect(notify).toHaveBeenCalledWith({ title: zh.startAtLoginFailed, body: 'Read-only file system', failure: true });
  log.mockRestore();
});

it('reports a link that can’t be copied', async () => {
  const { actions, notify } = refusedActions();
  const log = vi.spyOn(console, 'error').mockReturnValue();
  actions.copyAddress();
  await vi.waitFor(() => expect(notify).toHaveBeenCalledWith({ title: zh.copyFailed, body: 'Read-only file system', failure: true }));
  log.mockRestore();
});

it('does what was chosen for a click on the icon, but opens the app again while it quits', () => {
  const [open, uploadClipboard] = [vi.fn(), vi.fn()];
  let isQuitting = false;
  const { click } = trayActions({
    quit: { begun: () => isQuitting },
    preferences: { get: () => ({ trayClick: 'upload' }) },
    triggers: { uploadClipboard },
    dropWindow: {},
    pins: {},
    folders: {},
    open,
  } as unknown as Parts);
  click();
  isQuitting = true;
  click();
  expect([uploadClipboard, open].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

it('says where to allow a start at login that the system blocks', () => {
  const notify = vi.fn();
  const { setStartAtLogin } = trayActions({
    startAtLogin: { set: () => undefined, state: () => 'blocked' },
    dropWindow: {},
    pins: {},
    folders: {},
    notify,
    texts: () => zh,
  } as unknown as Parts);
  setStartAtLogin(true);
  expect(notify).toHaveBeenCalledWith(expect.objectContaining({ title: zh.startAtLoginBlockedTitle, failure: true }));
});

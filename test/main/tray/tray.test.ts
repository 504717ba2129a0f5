import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { en } from '#main/texts/en.ts';
import { zh } from '#main/texts/zh.ts';
import { createDrawing } from '#main/tray/drawing.ts';
import { setupTray } from '#main/tray/tray.ts';
import { trayActions } from '#main/tray/tray-actions.ts';
import type { TrayActions } from '#main/tray/tray-menu.ts';
import { Tray } from '#test/desktop/double/system/tray.ts';
import { quiet } from './states.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

test('draws a changed state at most four times a second, and an equal one not at all', () => {
  vi.useFakeTimers();
  let state = { left: 0 };
  const draw = vi.fn();
  const redraw = createDrawing(() => state, draw);
  expect(draw).toHaveBeenCalledTimes(1);
  for (let step = 1; step <= 1_000; step += 1) {
    state = { left: step };
    redraw();
    vi.advanceTimersByTime(1);
  }
  expect(draw.mock.calls.length).toBeLessThanOrEqual(6);
  vi.advanceTimersByTime(250);
  expect(draw).toHaveBeenLastCalledWith({ left: 1_000 });
  const drawn = draw.mock.calls.length;
  state = { left: 1_000 };
  redraw();
  vi.advanceTimersByTime(1_000);
  expect(draw).toHaveBeenCalledTimes(drawn);
  vi.useRealTimers();
});

describe('the menu that the user has open', () => {
  /** A tray on macOS, whose state a test changes. */
  function openTray() {
    let left = 1;
    const changes: (() => void)[] = [];
    const set = vi.spyOn(Tray.prototype, 'setContextMenu');
    setupTray({
      images: '/',
      store: {
        state: () => ({ ...quiet, uploads: { ...quiet.uploads, left } }),
        onChange: (redraw) => void changes.push(redraw),
      },
      texts: () => en,
      actions: {} as TrayActions,
      onApproach: () => undefined,
      onMissing: () => undefined,
    });
    const tray = set.mock.contexts[0] as unknown as Tray;
    /** An upload ends every 100 ms. */
    const upload = (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 100) {
        left += 1;
        for (const change of changes) change();
        vi.advanceTimersByTime(100);
      }
    };
    const shownNow = () => tray.menu?.items.find(({ label }) => /^Uploading/.test(label))?.label;
    return { tray, upload, shownNow, expected: () => en.uploading(left) };
  }

  beforeEach(() => {
    vi.useFakeTimers();
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    onTestFinished(() => {
      Object.defineProperty(process, 'platform', { value: platform });
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
  });

  test('stays open while uploads run, and follows them afterwards', () => {
    const { tray, upload, shownNow, expected } = openTray();
    tray.press();
    const menu = tray.shownMenu();
    expect(menu).toBeDefined();
    upload(60_000);
    expect(tray.shownMenu()).toBe(menu);
    tray.closeContextMenu();
    vi.advanceTimersByTime(1_000);
    expect(shownNow()).toBe(expected());
    upload(1_000);
    vi.advanceTimersByTime(1_000);
    expect(shownNow()).toBe(expected());
  });

  test('stays open after a visit to a submenu, whose end looks like its own', () => {
    const { tray, upload, shownNow, expected } = openTray();
    tray.press();
    tray.visitSubmenu();
    upload(5_000);
    tray.visitSubmenu();
    upload(5_000);
    expect(tray.shownMenu()).toBeDefined();
    tray.closeContextMenu(); // not reported
    upload(20_000);
    vi.advanceTimersByTime(1_000);
    expect(shownNow()).toBe(expected());
  });
});

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

test('reports a change of “Start at login” that the system refuses', () => {
  const { actions, notify } = refusedActions();
  const log = vi.spyOn(console, 'error').mockReturnValue();
  actions.setStartAtLogin(true);
  expect(notify).toHaveBeenCalledWith({ title: zh.startAtLoginFailed, body: 'Read-only file system', failure: true });
  log.mockRestore();
});

test('reports a link that can’t be copied', async () => {
  const { actions, notify } = refusedActions();
  const log = vi.spyOn(console, 'error').mockReturnValue();
  actions.copyAddress();
  await vi.waitFor(() => expect(notify).toHaveBeenCalledWith({ title: zh.copyFailed, body: 'Read-only file system', failure: true }));
  log.mockRestore();
});

test('does what was chosen for a click on the icon, but opens the app again while it quits', () => {
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

test('says where to allow a start at login that the system blocks', () => {
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

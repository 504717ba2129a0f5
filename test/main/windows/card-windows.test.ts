import type { Rectangle } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES, type Preferences } from '#api/desktop/preferences.ts';
import type { Ipc } from '#main/ipc.ts';
import { en } from '#main/texts/en.ts';
import { setupCardWindows } from '#main/windows/card-windows.ts';

/** What happens to windows, in order. */
const log: string[] = [];
const windows: ReturnType<typeof fakeWindow>[] = [];
let present: (() => void) | undefined;
let appears = true;

function fakeWindow(options: Record<string, unknown>) {
  const listeners = new Map<string, () => void>();
  const { x, y, width, height } = options as unknown as Rectangle;
  let isVisible = false;
  return {
    options,
    bounds: { x, y, width, height },
    webContents: { startDrag: (item: { file: string }) => log.push(`drag ${item.file}`) },
    on: (event: string, listener: () => void) => listeners.set(event, listener),
    emit: (event: string) => listeners.get(event)?.(),
    setContentProtection: () => log.push('protected'),
    setFocusable: (focusable: boolean) => log.push(focusable ? 'focusable' : 'not focusable'),
    setBounds(bounds: Rectangle) {
      this.bounds = bounds;
    },
    showInactive() {
      isVisible = appears;
      log.push('shown without focus');
    },
    hide() {
      isVisible = false;
      log.push('hidden');
    },
    isVisible: () => isVisible,
    isFocused: () => false,
    close() {
      log.push('closed');
      listeners.get('closed')?.();
    },
  };
}

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));
vi.mock('#test/desktop/double/machine.ts', async (load) => ({ ...(await load<object>()), requireReady: () => undefined }));
vi.mock('#main/windows/open-window.ts', () => ({
  openWindow(options: Record<string, unknown>) {
    const window = fakeWindow(options);
    windows.push(window);
    return window;
  },
  openPage: async () => undefined,
  bringToFront: () => log.push('in front'),
  yieldFocus: () => undefined,
  whenPresentable(_window: unknown, then: () => void) {
    present = then;
  },
}));

beforeEach(() => {
  log.length = windows.length = 0;
  appears = true;
});

function setup({ platform = 'linux' as NodeJS.Platform, cardCorner = 'bottom-right' as Preferences['cardCorner'] } = {}) {
  let tell: (next: Preferences) => void = () => undefined;
  const state = { ...DEFAULT_PREFERENCES, cardCorner };
  const cards = setupCardWindows({
    ipc: { addWindow: () => undefined } as unknown as Ipc,
    paths: { preload: '', cardPage: '/card.html', icon: '' },
    preferences: {
      get: () => state,
      onChange(listener) {
        tell = listener;
      },
    },
    texts: () => en,
    platform,
  });
  const change = (next: Preferences['cardCorner']) => {
    state.cardCorner = next;
    tell(state);
  };
  return { cards, change };
}

test('cards are in the corner that the user chose, and take as much room as there are', () => {
  const { cards, change } = setup();
  void cards.resize('1', 1);
  const [window] = windows;
  expect(window?.bounds).toEqual({ x: 1540, y: 948, width: 364, height: 116 });
  void cards.resize('1', 3);
  expect([windows.length, window?.bounds]).toEqual([1, { x: 1540, y: 716, width: 364, height: 348 }]);
  change('top-left');
  expect(window?.bounds).toEqual({ x: 16, y: 16, width: 364, height: 348 });
  // A display that is gone: the main one.
  void cards.resize('77', 1);
  expect(windows[1]?.bounds).toEqual({ x: 16, y: 16, width: 364, height: 116 });
});

test.each([
  ['linux', [], []],
  ['win32', ['protected'], ['focusable', 'not focusable']],
  ['darwin', ['protected'], ['focusable', 'not focusable']],
] as const)('appear without taking the focus, which they get once the user wants it: %s', async (platform, protection, focusable) => {
  const { cards } = setup({ platform });
  const seen = cards.resize('1', 1);
  expect(windows[0]?.options.focusable).toBe(platform === 'linux');
  present?.();
  expect(await seen).toBe(true);
  expect(log).toEqual([...protection, 'shown without focus']);
  log.length = 0;
  cards.focus('1');
  windows[0]?.emit('blur');
  expect(log.filter((what) => what !== 'in front')).toEqual(focusable);
});

test('where the system doesn’t show them so, they report it', async () => {
  appears = false;
  const { cards } = setup();
  const seen = cards.resize('1', 1);
  present?.();
  expect(await seen).toBe(false);
});

test('none is on the screen while it is captured, not even one that comes in the meantime', async () => {
  const { cards } = setup();
  void cards.resize('1', 1);
  present?.();
  expect(cards.hide()).toBe(true);
  expect(windows[0]?.isVisible()).toBe(false);
  const late = cards.resize('2', 1);
  present?.();
  expect(await late).toBe(true);
  expect(windows[1]?.isVisible()).toBe(false);
  cards.reveal();
  expect(windows.map((window) => window.isVisible())).toEqual([true, true]);
});

test('a window goes with its last card, and one that is closed is reported', async () => {
  const closed = vi.fn();
  const { cards } = setup();
  cards.onClosed(closed);
  void cards.resize('1', 1);
  void cards.resize('1', 0);
  expect(log.at(-1)).toBe('closed');
  void cards.resize('1', 1);
  expect([windows.length, closed.mock.calls.length]).toEqual([2, 0]);
  windows[1]?.close();
  expect(closed).toHaveBeenLastCalledWith('1');
  expect(cards.hide()).toBe(false);
});

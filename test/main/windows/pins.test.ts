import type { Rectangle } from 'electron';
import { expect, test, vi } from 'vitest';
import type { Handlers, Ipc } from '#main/ipc.ts';
import { en } from '#main/texts/en.ts';
import { setupPins } from '#main/windows/pins.ts';

const openPage = vi.hoisted(() => vi.fn(async (_window: unknown, _path: string, _hash: string) => undefined));
const shown: { options: Record<string, unknown>; window: ReturnType<typeof fakeWindow> }[] = [];
function fakeWindow(options: Record<string, unknown>) {
  const closed: (() => void)[] = [];
  let bounds = options as unknown as Rectangle;
  return {
    setAspectRatio: vi.fn(),
    setOpacity: vi.fn(),
    getBounds: () => bounds,
    setBounds: vi.fn((next: Rectangle) => {
      bounds = next;
    }),
    on: (_event: string, listener: () => void) => closed.push(listener),
    close() {
      for (const listener of closed) listener();
    },
  };
}
vi.mock('electron', () => import('#test/desktop/double/electron.ts'));
vi.mock('#main/windows/open-window.ts', () => ({
  openWindow(options: Record<string, unknown>) {
    const window = fakeWindow(options);
    shown.push({ options, window });
    return window;
  },
  openPage,
  whenPresentable: () => undefined,
}));

function pinsWith({ canFloat = true, platform = 'linux' as NodeJS.Platform } = {}) {
  shown.length = 0;
  openPage.mockClear();
  let calls = {} as Handlers;
  const ipc = {
    addWindow: () => undefined,
    handle: (handlers: Partial<Handlers>) => {
      calls = handlers as Handlers;
    },
  } as unknown as Ipc;
  const preferences = { get: () => ({ language: 'zh' }) };
  const options = { ipc, paths: { preload: '', pinPage: '/pin.html', icon: '' }, preferences, texts: () => en, canFloat, platform };
  const pins = setupPins(options as unknown as Parameters<typeof setupPins>[0]);
  const pin = (width = 600, height = 400) => calls.pinPicture('shot.png', new Uint8Array([1]), { width, height });
  /** The id that the page of the nth window has in its address. */
  const idOf = (index: number) => openPage.mock.calls[index]?.[2] ?? '';
  return { pins, calls, pin, idOf };
}

test('a picture larger than the screen is shown smaller, in its proportions, and the height follows the width', async () => {
  const { calls, pin, idOf } = pinsWith();
  pin(4000, 1000);
  expect(shown[0]?.options).toMatchObject({ width: 1536, height: 384, x: 192, y: 348, alwaysOnTop: true, frame: false, title: 'shot.png' });
  const centre = { x: 0.5, y: 0.5 };
  calls.resizePin(idOf(0), 0.5, centre);
  calls.resizePin(idOf(0), 0.001, { x: 1, y: 0 });
  calls.movePin(idOf(0), { x: -5, y: 6 });
  calls.resizePin(idOf(0), null, { x: 0, y: 0 });
  expect(shown[0]?.window.setBounds.mock.calls).toEqual([
    [{ x: 576, y: 444, width: 768, height: 192 }],
    [{ x: 1304, y: 444, width: 40, height: 10 }],
    [expect.objectContaining({ x: 1299, y: 450, width: 40, height: 10 })],
    [{ x: 1299, y: 450, width: 4000, height: 1000 }],
  ]);
  expect(await calls.getPin(idOf(0))).toEqual({
    name: 'shot.png',
    bytes: new Uint8Array([1]),
    language: 'zh',
    canFade: false,
  });
});

test('opacity is offered where windows can be translucent', async () => {
  const { calls, pin, idOf } = pinsWith({ platform: 'win32' });
  pin();
  expect(await calls.getPin(idOf(0))).toMatchObject({ canFade: true });
  calls.fadePin(idOf(0), 0.5);
  expect(shown[0]?.window.setOpacity).toHaveBeenCalledWith(0.5);
});

test('a window that is closed is forgotten, and the others don’t hide each other', async () => {
  const { pins, calls, pin, idOf } = pinsWith();
  const onChange = vi.fn();
  pins.onChange(onChange);
  pin();
  pin();
  expect(shown.map(({ options }) => options.x)).toEqual([660, 684]);
  calls.closePin(idOf(0));
  expect([pins.count(), await calls.getPin(idOf(0)), onChange.mock.calls.length]).toEqual([1, null, 3]);
  calls.movePin(idOf(0), { x: 1, y: 1 });
  calls.resizePin(idOf(0), 2, { x: 0, y: 0 });
  calls.fadePin(idOf(0), 1);
  pins.closeAll();
  expect(pins.count()).toBe(0);
});

test('there are limits: of the system, and of memory', () => {
  const { pin } = pinsWith({ canFloat: false });
  expect(() => pin()).toThrow(expect.objectContaining({ text: 'pinUnsupported' }));
  const { pin: another, pins } = pinsWith();
  for (let count = 0; count < 20; count += 1) another();
  expect(() => another()).toThrow(expect.objectContaining({ text: 'tooManyPins' }));
  expect(pins.count()).toBe(20);
});

test('corners aren’t cut off, a window that is elsewhere than it was put moves from there, and small steps add up', () => {
  const { calls, pin, idOf } = pinsWith();
  pin(200, 100);
  const window = shown[0]?.window;
  expect(shown[0]?.options).toMatchObject({ roundedCorners: false });
  // Shadows and fractional scaling: the system has put it somewhere else.
  window?.setBounds({ x: 7, y: 9, width: 200, height: 100 });
  calls.movePin(idOf(0), { x: 10, y: 0 });
  expect(window?.getBounds()).toEqual({ x: 17, y: 9, width: 200, height: 100 });
  for (let step = 0; step < 10; step += 1) calls.resizePin(idOf(0), 1.002, { x: 0, y: 0 });
  expect(window?.getBounds().width).toBe(204);
});

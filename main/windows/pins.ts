import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type BrowserWindow, screen } from 'electron';
import type { AppPaths } from '#main/base/files/paths.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import { Reason } from '#main/base/reasons.ts';
import type { Ipc, PageKind } from '#main/ipc.ts';
import type { Texts } from '#main/texts/en.ts';
import { bringToFront, openPage, openWindow, whenPresentable } from './open-window.ts';
import { isPackagedPage } from './pages.ts';

/** Each holds its picture in memory. */
const MAX_PINS = 20;
/** Device-independent pixels. */
const MIN_WIDTH = 40;
const CASCADE = 24;
/** The share of the screen that a picture takes at first, at most. */
const MAX_SHARE = 0.8;

interface Pin {
  window: BrowserWindow;
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The width at which a pixel of the picture is one of the screen. */
  fullWidth: number;
  /** Before it is rounded: small steps add up. */
  width: number;
  /** Width by height. */
  ratio: number;
}

interface Options {
  ipc: Ipc;
  paths: Pick<AppPaths, 'preload' | 'pinPage' | 'icon'>;
  preferences: PreferenceStore;
  texts(): Texts;
  /** Whether windows can stay on top. */
  canFloat: boolean;
  platform?: NodeJS.Platform;
}

/** Pictures that stay above all other windows until they are closed. They are kept in memory only. */
export interface Pins {
  /** Pins a PNG of this size in pixels. @throws Reason where that isn't possible */
  pin(name: string, bytes: Uint8Array<ArrayBuffer>, size: { width: number; height: number }): void;
  count(): number;
  closeAll(): void;
  onChange(listener: () => void): void;
}

export function setupPins({ ipc, paths, preferences, texts, canFloat, platform = process.platform }: Options): Pins {
  const pins = new Map<string, Pin>();
  const changes = new EventEmitter<{ change: [] }>();
  const pageKind = (url: string): PageKind => (isPackagedPage(url, paths.pinPage) ? 'pin' : null);

  function open(name: string, bytes: Uint8Array<ArrayBuffer>, size: { width: number; height: number }) {
    if (!canFloat) throw new Reason('pinUnsupported');
    if (pins.size >= MAX_PINS) throw new Reason('tooManyPins');
    const { workArea, scaleFactor } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
    const fullWidth = size.width / scaleFactor;
    const ratio = size.width / size.height;
    const width = Math.min(fullWidth, workArea.width * MAX_SHARE, workArea.height * MAX_SHARE * ratio);
    const window = openWindow({
      paths,
      pageKind,
      texts,
      ...centred(workArea, withHeight(width, ratio), pins.size * CASCADE),
      frame: false,
      // They would be cut off the picture.
      roundedCorners: false,
      alwaysOnTop: true,
      skipTaskbar: true,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      title: name,
    });
    window.setAspectRatio(ratio);
    const id = randomUUID();
    pins.set(id, { window, name, bytes, fullWidth, width, ratio });
    window.on('closed', () => {
      pins.delete(id);
      changes.emit('change');
    });
    whenPresentable(window, () => bringToFront(window));
    openPage(window, paths.pinPage, id).catch((error: unknown) => console.error('Couldn’t open the page of a pinned picture:', error));
    changes.emit('change');
  }

  ipc.addWindow({ windows: () => [...pins.values()].map(({ window }) => window), pages: ['pin'], pageKind });
  ipc.handle({
    pinPicture: (name, bytes, size) => void open(name, bytes, size),
    getPin(id) {
      const pin = pins.get(id);
      if (!pin) return null;
      const { name, bytes } = pin;
      return { name, bytes, language: preferences.get().language, canFade: platform !== 'linux' };
    },
    movePin(id, { x, y }) {
      const window = pins.get(id)?.window;
      if (!window) return;
      const bounds = window.getBounds();
      window.setBounds({ ...bounds, x: bounds.x + x, y: bounds.y + y });
    },
    resizePin(id, factor, around) {
      const pin = pins.get(id);
      if (pin) resize(pin, factor, around);
    },
    fadePin: (id, opacity) => void pins.get(id)?.window.setOpacity(opacity),
    closePin: (id) => void pins.get(id)?.window.close(),
  });
  return {
    pin: open,
    count: () => pins.size,
    closeAll() {
      for (const { window } of [...pins.values()]) window.close();
    },
    onChange: (listener) => void changes.on('change', listener),
  };
}

/** `around`: the point of the window that stays where it is. */
function resize(pin: Pin, factor: number | null, around: { x: number; y: number }) {
  const { window, fullWidth, ratio } = pin;
  const now = window.getBounds();
  const width = Math.round(pin.width) === now.width ? pin.width : now.width; // the user may have resized it
  pin.width = Math.max(MIN_WIDTH, factor === null ? fullWidth : width * factor);
  const size = withHeight(pin.width, ratio);
  const x = Math.round(now.x + (now.width - size.width) * around.x);
  const y = Math.round(now.y + (now.height - size.height) * around.y);
  window.setBounds({ x, y, ...size });
}

function withHeight(wanted: number, ratio: number) {
  const width = Math.max(MIN_WIDTH, wanted);
  return { width: Math.round(width), height: Math.max(1, Math.round(width / ratio)) };
}

function centred(area: Electron.Rectangle, size: { width: number; height: number }, offset: number): Electron.Rectangle {
  const x = Math.round(area.x + (area.width - size.width) / 2) + offset;
  const y = Math.round(area.y + (area.height - size.height) / 2) + offset;
  return { x, y, ...size };
}

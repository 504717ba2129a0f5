import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Display, NativeImage } from 'electron';
import { describe, expect, it, test, vi } from 'vitest';
import { describe as sentence } from '#main/base/reasons.ts';
import { createScreenCapture } from '#main/capture/screen/capture.ts';
import type { CaptureTool } from '#main/capture/screen/tool.ts';
import { captureTools } from '#main/capture/screen/tools.ts';
import { en } from '#main/texts/en.ts';
import { zh } from '#main/texts/zh.ts';
import { openSpool } from '#main/uploader/spool.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

const DISPLAYS = [
  { id: 7, size: { width: 100, height: 50 }, bounds: { x: 0, y: 0, width: 100, height: 50 }, scaleFactor: 1 },
  { id: 9, size: { width: 80, height: 40 }, bounds: { x: 100, y: 0, width: 80, height: 40 }, scaleFactor: 1.5 },
] as Display[];

/** The screens, with the pointer on the second one. */
function screens(ids = ['7', '9']) {
  const getSources = vi.fn(async () =>
    ids.map((display_id) => {
      const thumbnail = { isEmpty: () => false, toPNG: () => Buffer.from(`screen ${display_id}`) } as NativeImage;
      return { id: `screen:${display_id}:0`, display_id, name: '', thumbnail, appIcon: thumbnail };
    }),
  );
  const screen = {
    getCursorScreenPoint: () => ({ x: 120, y: 10 }),
    getDisplayNearestPoint: ({ x }: { x: number }) => DISPLAYS[x < 100 ? 0 : 1] as Display,
  };
  return { screen, desktopCapturer: { getSources } };
}

const clipboard = { read: async () => [] };
/** The names of the tools by mode, with these programs installed. */
function tools(platform: NodeJS.Platform, desktop = {}, programs: string[] = [], source = screens()) {
  const folder = join(temporaryFolder(), 'bin');
  mkdirSync(folder);
  for (const name of programs) writeFileSync(join(folder, name), '', { mode: 0o755 });
  const env = { wayland: false, desktop: '', sessionBus: undefined, programFolders: [folder], ...desktop };
  return captureTools({ platform, env, clipboard, ...source });
}
const names = (from: readonly CaptureTool[]) => from.map(({ name }) => name);

describe('what a system offers', () => {
  it.each([
    ['macOS', 'darwin', {}, [], ['/usr/sbin/screencapture'], ['/usr/sbin/screencapture']],
    ['Windows', 'win32', {}, [], ['ms-screenclip'], ['Screen recording']],
    ['X11 without programs', 'linux', {}, [], [], ['Screen recording']],
    ['X11 with maim', 'linux', {}, ['maim', 'slop'], ['maim'], ['Screen recording']],
    ['X11 with half of maim', 'linux', {}, ['maim'], [], ['Screen recording']],
    ['Wayland without programs', 'linux', { wayland: true }, [], [], []],
    ['Wayland with a portal', 'linux', { wayland: true, sessionBus: 'unix:path=/bus' }, [], [], ['The desktop’s screenshot dialog']],
    ['KDE', 'linux', { wayland: true, desktop: 'KDE' }, ['spectacle'], ['spectacle'], ['spectacle']],
    ['Sway', 'linux', { wayland: true, desktop: 'sway' }, ['grim', 'slurp'], [], ['grim']],
  ] as const)('%s', (_what, platform, desktop, programs, window, screen) => {
    const found = tools(platform, desktop, [...programs]);
    expect([names(found.window), names(found.screen)]).toEqual([window, screen]);
    expect(found.region.length).toBeGreaterThan(0);
  });
});

describe('the whole screen', () => {
  it('is the one with the pointer, in its own pixels', async () => {
    const source = screens();
    const [tool] = tools('win32', {}, [], source).screen;
    expect(await tool?.capture('')).toEqual({ kind: 'bytes', bytes: Buffer.from('screen 9'), ext: 'png' });
    expect(source.desktopCapturer.getSources).toHaveBeenCalledWith({ types: ['screen'], thumbnailSize: { width: 120, height: 60 } });
  });

  it('is the only one where the system doesn’t say which it is', async () => {
    const [tool] = tools('linux', {}, [], screens([''])).screen;
    expect(await tool?.capture('')).toMatchObject({ bytes: Buffer.from('screen ') });
  });

  it('is never a guess', async () => {
    const [tool] = tools('linux', {}, [], screens(['', ''])).screen;
    await expect(tool?.capture('')).rejects.toMatchObject({ text: 'captureNoScreen' });
  });

  it('is a sentence in the user’s language where the system names no screen', async () => {
    for (const display of [undefined, { id: 1 }]) {
      const source = {
        ...screens(),
        screen: { getCursorScreenPoint: () => ({ x: 0, y: 0 }), getDisplayNearestPoint: () => display as Display },
      };
      const { screen } = tools('linux', {}, [], source);
      const capture = createScreenCapture({
        tools: { region: [], window: [], screen },
        permission: { isGranted: () => true },
        spool: openSpool(temporaryFolder()),
        aside: (take) => take(),
      });
      const error = await capture.take({ mode: 'screen' }).catch((reason: unknown) => reason);
      expect(sentence(error, en)).toMatch(/^The system provided no picture of the screen\./);
      expect(sentence(error, zh)).toMatch(/^系统没有提供屏幕的画面。/);
    }
  });
});

describe('captures', () => {
  /** A tool that reports its region once it has run. */
  function service() {
    const taken: string[] = [];
    const picture = (what: string): CaptureTool => ({
      name: what,
      async capture() {
        taken.push(what);
        return { kind: 'bytes', bytes: Buffer.from(what), ext: 'png', again: picture('the region again') };
      },
    });
    const wait = vi.fn(async (_milliseconds: number) => taken.push('wait'));
    const found = { region: [picture('a region')], window: [picture('a window')], screen: [] };
    /** Cards are out of the way only while a tool runs. */
    async function aside<T>(take: () => Promise<T>) {
      taken.push('no cards');
      return take();
    }
    const options = { tools: found, permission: { isGranted: () => true }, spool: openSpool(temporaryFolder()), aside, wait };
    const capture = createScreenCapture(options);
    return { capture, taken, wait };
  }

  test('offer the last region once there is one, and repeat it', async () => {
    const { capture, taken } = service();
    const onChange = vi.fn();
    capture.onChange(onChange);
    expect(capture.modes()).toEqual(['region', 'window']);
    await expect(capture.take({ mode: 'last-region' })).rejects.toMatchObject({ text: 'captureNoRegion' });
    await capture.take({ mode: 'window' });
    expect(capture.modes()).toEqual(['region', 'window']);
    await capture.take();
    expect([capture.modes(), onChange.mock.calls.length]).toEqual([['region', 'last-region', 'window'], 1]);
    await capture.take({ mode: 'last-region' });
    await capture.take({ mode: 'last-region' });
    expect(taken.filter((what) => what !== 'no cards')).toEqual(['a window', 'a region', 'the region again', 'the region again']);
  });

  test('wait first, if asked, and refuse another one meanwhile', async () => {
    const { capture, taken, wait } = service();
    const first = capture.take({ delay: 3 });
    await expect(capture.take()).rejects.toMatchObject({ text: 'captureOpen' });
    await first;
    expect([wait.mock.calls, taken]).toEqual([[[3000]], ['wait', 'no cards', 'a region']]);
  });

  test('say what is missing', async () => {
    const { capture } = service();
    await expect(capture.take({ mode: 'screen' })).rejects.toMatchObject({ text: 'captureModeMissing' });
  });
});

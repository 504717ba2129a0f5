import { type Clipboard, type DesktopCapturer, type Display, type Screen, shell } from 'electron';
import type { CaptureMode } from '#api/desktop/capture.ts';
import { Reason } from '#main/base/reasons.ts';
import type { DesktopEnv } from '#main/base/system/env.ts';
import { isInstalled } from '#main/base/system/installed.ts';
import { portalTool } from './portal.ts';
import { grimAndSlurp, maim, maimWindow, program } from './programs.ts';
import { screenClip } from './screen-clip.ts';
import type { CaptureTool } from './tool.ts';

/** The ways to capture in each mode, the best one first. None: this computer can't. */
export type CaptureTools = Record<Exclude<CaptureMode, 'last-region'>, readonly CaptureTool[]>;

interface System extends Screens {
  platform: NodeJS.Platform;
  env: Pick<DesktopEnv, 'wayland' | 'desktop' | 'sessionBus' | 'programFolders'>;
  clipboard: Pick<Clipboard, 'read'>;
}

const spectacle = program('spectacle', (file) => ['--background', '--nonotify', '--region', '--output', file]);
const gnomeScreenshot = program('gnome-screenshot', (file) => ['--area', `--file=${file}`]);
const flameshotAgain = program('flameshot', (file) => ['gui', '--last-region', '--accept-on-select', '--path', file]);
const flameshot = program('flameshot', (file) => ['gui', '--accept-on-select', '--path', file], flameshotAgain);
const X11_PROGRAMS = [
  maim,
  program('scrot', (file) => ['--select', file]),
  program('xfce4-screenshooter', (file) => ['--region', '--save', file]),
];

const spectacleWindow = program('spectacle', (file) => ['--background', '--nonotify', '--windowundercursor', '--output', file]);
/** Of the active window. */
const gnomeWindow = program('gnome-screenshot', (file) => ['--window', `--file=${file}`]);
const xfceWindow = program('xfce4-screenshooter', (file) => ['--window', '--save', file]);

const spectacleScreen = program('spectacle', (file) => ['--background', '--nonotify', '--current', '--output', file]);
const gnomeScreen = program('gnome-screenshot', (file) => [`--file=${file}`]);
const grimScreen = program('grim', (file) => [file]);

/** This system's ways to capture the screen. */
export function captureTools({ platform, env, clipboard, ...screens }: System): CaptureTools {
  if (platform === 'darwin') return macTools(screens);
  if (platform === 'win32') {
    const clip = { clipboard, open: shell.openExternal };
    return { region: [screenClip(clip)], window: [screenClip({ ...clip, mode: 'Window' })], screen: [pointerScreen(screens)] };
  }
  // A region is always offered: without a program, the message says which to install.
  const installed = (tools: readonly CaptureTool[]) =>
    tools.filter(({ needs = [] }) => needs.every((name) => isInstalled(name, env.programFolders)));
  const { region, window, screen } = linuxTools(env, screens);
  return { region, window: installed(window), screen: installed(screen) };
}

function macTools(screens: Screens): CaptureTools {
  const screencapture = (...options: string[]) => program('/usr/sbin/screencapture', (file) => [...options, file]);
  return { region: [screencapture('-i')], window: [screencapture('-i', '-W')], screen: [macScreen(screens)] };
}

/** KDE's program is better than its dialog; GNOME's dialog is better than any program; elsewhere the programs select at once. */
function linuxTools({ wayland, desktop, sessionBus }: System['env'], screens: Screens): CaptureTools {
  const dialog = sessionBus === undefined ? [] : [portalTool(sessionBus)];
  const selectors = wayland ? [grimAndSlurp] : X11_PROGRAMS;
  const apps = [gnomeScreenshot, spectacle, flameshot];
  return { region: regionTools(), window: windowTools(), screen: screenTools() };

  function regionTools() {
    if (/KDE/i.test(desktop)) return [...new Set([spectacle, ...dialog, ...selectors, ...apps])];
    if (/GNOME|Unity|Pantheon|COSMIC/i.test(desktop)) return [...dialog, ...apps, ...selectors];
    return [...selectors, ...dialog, ...apps];
  }

  function windowTools() {
    return wayland ? [spectacleWindow, gnomeWindow] : [maimWindow, spectacleWindow, gnomeWindow, xfceWindow];
  }

  function screenTools() {
    if (!wayland) return [pointerScreen(screens)];
    const all = sessionBus === undefined ? [] : [portalTool(sessionBus, false)];
    return [spectacleScreen, grimScreen, gnomeScreen, ...all];
  }
}

interface Screens {
  screen: Pick<Screen, 'getCursorScreenPoint' | 'getDisplayNearestPoint'>;
  desktopCapturer: Pick<DesktopCapturer, 'getSources'>;
}

const displayAtPointer = ({ screen }: Pick<Screens, 'screen'>) => screen.getDisplayNearestPoint(screen.getCursorScreenPoint());

/** All of the screen that has the pointer, with nothing but Electron. */
function pointerScreen(screens: Screens): CaptureTool {
  return {
    name: 'Screen recording',
    async capture() {
      const display: Partial<Display> | undefined = displayAtPointer(screens);
      const { id, size, scaleFactor = 1 } = display ?? {};
      // Not every system names its screens.
      if (!size) throw new Reason('captureNoScreen');
      const thumbnailSize = { width: Math.round(size.width * scaleFactor), height: Math.round(size.height * scaleFactor) };
      const sources = await screens.desktopCapturer.getSources({ types: ['screen'], thumbnailSize });
      // Some systems don't say which screen is which.
      const source = sources.find(({ display_id }) => display_id === String(id)) ?? (sources.length === 1 ? sources[0] : undefined);
      if (!source || source.thumbnail.isEmpty()) throw new Reason('captureNoScreen');
      return { kind: 'bytes', bytes: source.thumbnail.toPNG(), ext: 'png' };
    },
  };
}

/** The same with macOS's own program, in the colours and at the resolution of the screen. */
function macScreen(screens: Pick<Screens, 'screen'>): CaptureTool {
  return program('/usr/sbin/screencapture', (file) => {
    const { x, y, width, height } = displayAtPointer(screens).bounds;
    return ['-x', `-R${x},${y},${width},${height}`, file];
  });
}

import { type Clipboard, shell } from 'electron';
import type { DesktopEnv } from '#main/base/system/env.ts';
import { portalTool } from './portal.ts';
import { grimAndSlurp, program } from './programs.ts';
import type { RegionTool } from './region.ts';
import { screenClip } from './screen-clip.ts';

const spectacle = program('spectacle', (file) => ['--background', '--nonotify', '--region', '--output', file]);
const gnomeScreenshot = program('gnome-screenshot', (file) => ['--area', `--file=${file}`]);
const flameshot = program('flameshot', (file) => ['gui', '--accept-on-select', '--path', file]);
const X11_PROGRAMS = [
  program('maim', (file) => ['--select', file]),
  program('scrot', (file) => ['--select', file]),
  program('xfce4-screenshooter', (file) => ['--region', '--save', file]),
];

type LinuxDesktop = Pick<DesktopEnv, 'wayland' | 'desktop' | 'sessionBus'>;

/** This system's ways to select a region of the screen, the best one first. */
export function regionTools(platform: NodeJS.Platform, env: LinuxDesktop, clipboard: Pick<Clipboard, 'read'>): RegionTool[] {
  if (platform === 'darwin') return [program('/usr/sbin/screencapture', (file) => ['-i', file])];
  if (platform === 'win32') return [screenClip({ clipboard, open: shell.openExternal })];
  return linuxTools(env);
}

/** KDE's program is better than its dialog; GNOME's dialog is better than any program; elsewhere the programs select at once. */
function linuxTools({ wayland, desktop, sessionBus }: LinuxDesktop): RegionTool[] {
  const dialog = sessionBus === undefined ? [] : [portalTool(sessionBus)];
  const selectors = wayland ? [grimAndSlurp] : X11_PROGRAMS;
  const apps = [gnomeScreenshot, spectacle, flameshot];
  if (/KDE/i.test(desktop)) return [...new Set([spectacle, ...dialog, ...selectors, ...apps])];
  if (/GNOME|Unity|Pantheon|COSMIC/i.test(desktop)) return [...dialog, ...apps, ...selectors];
  return [...selectors, ...dialog, ...apps];
}

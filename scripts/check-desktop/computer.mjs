// What can be read of this computer without Electron.
import { existsSync, readFileSync } from 'node:fs';
import { homedir, release, version } from 'node:os';
import { join } from 'node:path';
import { hasPortal } from '#main/capture/screen/portal.ts';
import { kernelRestrictions } from '../electron/sandbox.mjs';

const { env, platform } = process;
const isLinux = platform === 'linux';
const NOT_READABLE = 'not reported by the system: see the list of what to try by hand';

export function describeSystem() {
  return {
    System: isLinux ? `${distribution()}, kernel ${release()}` : `${version()}, ${release()}`,
    ...(isLinux && {
      Desktop: env.XDG_CURRENT_DESKTOP || 'unknown',
      Session: env.XDG_SESSION_TYPE || 'unknown',
      Displays: `DISPLAY=${env.DISPLAY ?? ''} WAYLAND_DISPLAY=${env.WAYLAND_DISPLAY ?? ''}`,
    }),
    'Node of the scripts': process.versions.node,
  };
}

export async function describePermissions() {
  if (!isLinux) return { 'Local network': NOT_READABLE, 'Showing notifications': NOT_READABLE };
  const portals = ['GlobalShortcuts', 'Screenshot'];
  const found = await Promise.all(portals.map((name) => hasPortal(env.DBUS_SESSION_BUS_ADDRESS, name)));
  return {
    'User namespaces': kernelRestrictions().join(', ') || 'not restricted',
    Portals: portals.map((name, index) => `${name}: ${found[index] ? 'yes' : 'no'}`).join(', '),
    'Starts at login': existsSync(join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart/pixdock.desktop')) ? 'yes' : 'no',
  };
}

function distribution() {
  try {
    const [, name] = /^PRETTY_NAME="?(.*?)"?$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
    return name ?? 'Linux';
  } catch {
    return 'Linux';
  }
}

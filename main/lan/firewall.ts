import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { LanHelp } from '#api/desktop/lan.ts';
import { windowsTool } from '#main/base/system/env.ts';
import type { Run } from './run.ts';

interface Options {
  platform: NodeJS.Platform;
  /** The app's program, for firewalls that allow programs instead of ports. */
  program: string;
  port: number;
  run: Run;
}

const RULE = 'Pixdock';

/** What may keep other devices out of this computer, and the commands that let them in. Finding out takes up to a few seconds. */
export function lanHelp(options: Options): Promise<LanHelp> {
  if (options.platform === 'win32') return onWindows(options);
  return options.platform === 'darwin' ? onMac(options) : onLinux(options);
}

const CATEGORIES = ['public', 'private', 'domain'] as const;

async function onWindows({ port, run }: Options): Promise<LanHelp> {
  const output = await run(windowsTool('WindowsPowerShell\\v1.0\\powershell.exe'), [
    '-NoProfile',
    '-Command',
    '(Get-NetConnectionProfile).NetworkCategory.value__',
  ]);
  // The strictest, where there are several networks.
  const category = Math.min(...(output?.match(/\d/g) ?? []).map(Number));
  return {
    system: 'win32',
    profile: CATEGORIES[category] ?? null,
    firewall: null,
    commands: [
      `netsh advfirewall firewall add rule name="${RULE}" dir=in action=allow protocol=TCP localport=${port} profile=private,domain`,
      `netsh advfirewall firewall add rule name="${RULE} (mDNS)" dir=in action=allow protocol=UDP localport=5353 profile=private,domain`,
    ],
  };
}

const MAC_FIREWALL = '/usr/libexec/ApplicationFirewall/socketfilterfw';

async function onMac({ program, run }: Options): Promise<LanHelp> {
  const output = await run(MAC_FIREWALL, ['--getglobalstate']);
  return {
    system: 'darwin',
    profile: null,
    firewall: output ? { name: 'macOS', active: /enabled/i.test(output) } : null,
    commands: [helperOf(program), program].flatMap((each) =>
      ['--add', '--unblockapp'].map((option) => `sudo ${MAC_FIREWALL} ${option} "${each}"`),
    ),
  };
}

/** The service listens in a helper of the app, such as “Pixdock Helper”; the app itself receives only questions about its name. */
function helperOf(program: string) {
  const helper = `${basename(program)} Helper`;
  return join(dirname(program), '../Frameworks', `${helper}.app`, 'Contents/MacOS', helper);
}

async function onLinux({ port, run }: Options): Promise<LanHelp> {
  const firewalld = {
    name: 'firewalld',
    commands: [`sudo firewall-cmd --permanent --add-port=${port}/tcp --add-service=mdns`, 'sudo firewall-cmd --reload'],
  };
  const ufw = { name: 'ufw', commands: [`sudo ufw allow ${port}/tcp`, 'sudo ufw allow 5353/udp'] };
  const found = async () => {
    if ((await run('firewall-cmd', ['--state']))?.includes('running')) return { ...firewalld, active: true };
    const enabled = /^ENABLED=(\w+)/m.exec(await readFile('/etc/ufw/ufw.conf', 'utf8').catch(() => ''))?.[1];
    return enabled && { ...ufw, active: enabled === 'yes' };
  };
  const firewall = await found();
  return {
    system: 'linux',
    profile: null,
    firewall: firewall ? { name: firewall.name, active: firewall.active } : null,
    commands: firewall ? firewall.commands : [...ufw.commands, ...firewalld.commands],
  };
}

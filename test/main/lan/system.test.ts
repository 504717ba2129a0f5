import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { canOpenPort } from '#api/desktop/listening.ts';
import { lanHelp } from '#main/lan/firewall.ts';
import { freePortAfter, isFree } from '#main/lan/free-port.ts';
import { portHolder } from '#main/lan/port-holder.ts';
import { type Run, run } from '#main/lan/run.ts';

const SYSTEM32 = 'D:\\Windows\\System32\\';

beforeEach(() => {
  vi.stubEnv('SystemRoot', 'D:\\Windows');
  onTestFinished(() => void vi.unstubAllEnvs());
});

/** Programs of a system that isn't this one, with what they print. */
const printing =
  (outputs: Record<string, string>): Run =>
  async (program) =>
    outputs[program];
const help = (platform: NodeJS.Platform, outputs: Record<string, string>) =>
  lanHelp({ platform, program: '/Applications/Pixdock.app/Contents/MacOS/Pixdock', port: 7410, run: printing(outputs) });

test('ports that browsers refuse are neither suggested nor accepted', async () => {
  // Node has the same list.
  const opens = (port: number) =>
    fetch(`http://127.0.0.1:${port}`).then(
      () => 'opens',
      (error: Error) => (error.cause as Error).message,
    );
  const blocked = Array.from({ length: 65_535 }, (_, index) => index + 1).filter((port) => !canOpenPort(port));
  for (const port of blocked) expect(await opens(port), String(port)).toBe('bad port');
  expect(blocked).toEqual(expect.arrayContaining([5060, 5061, 6000, 6566, 6665, 6669, 6697, 10_080]));
  expect(await freePortAfter(5_059, '127.0.0.1')).toBeGreaterThanOrEqual(5_062);
  expect(await freePortAfter(6_664, '127.0.0.1')).toBeGreaterThanOrEqual(6_670);
});

test.each([
  ['0\r\n', 'public'],
  ['1\r\n0\r\n', 'public'],
  ['1\r\n', 'private'],
  ['2\r\n', 'domain'],
  ['', null],
])('Windows: %j is the profile %s', async (output, profile) => {
  const found = await help('win32', { [`${SYSTEM32}WindowsPowerShell\\v1.0\\powershell.exe`]: output });
  expect(found).toMatchObject({ system: 'win32', profile });
  expect(found.commands[0]).toContain('localport=7410');
});

test('macOS: the firewall, and commands for the program', async () => {
  const program = '/usr/libexec/ApplicationFirewall/socketfilterfw';
  const found = await help('darwin', { [program]: 'Firewall is enabled. (State = 1)' });
  expect(found).toMatchObject({ profile: null, firewall: { name: 'macOS', active: true } });
  // The service listens in the helper.
  const helper = '/Applications/Pixdock.app/Contents/Frameworks/Pixdock Helper.app/Contents/MacOS/Pixdock Helper';
  expect(found.commands.slice(0, 2)).toEqual([`sudo ${program} --add "${helper}"`, `sudo ${program} --unblockapp "${helper}"`]);
  expect(found.commands).toContain(`sudo ${program} --unblockapp "/Applications/Pixdock.app/Contents/MacOS/Pixdock"`);
  expect((await help('darwin', {})).firewall).toBeNull();
});

test('Linux: firewalld where it runs', async () => {
  const found = await help('linux', { 'firewall-cmd': 'running\n' });
  expect(found.firewall).toEqual({ name: 'firewalld', active: true });
  expect(found.commands).toEqual(['sudo firewall-cmd --permanent --add-port=7410/tcp --add-service=mdns', 'sudo firewall-cmd --reload']);
});

test('Linux: a command for ufw where no firewalld runs', async () => {
  const { commands } = await help('linux', {});
  expect(commands).toContain('sudo ufw allow 7410/tcp');
});

test('the holder of a port is read from what each system prints', async () => {
  const ss = 'LISTEN 0 511 0.0.0.0:7410 0.0.0.0:* users:(("nginx",pid=812,fd=6),("nginx",pid=811,fd=6))\n';
  expect(await portHolder(7410, 'linux', printing({ ss }))).toBe('nginx');
  expect(await portHolder(7410, 'darwin', printing({ lsof: 'p812\ncControlCenter\nf12\n' }))).toBe('ControlCenter');
  const netstat =
    '  TCP    0.0.0.0:17410          0.0.0.0:0              LISTENING       4\r\n  TCP    0.0.0.0:7410           0.0.0.0:0              LISTENING       9120\r\n';
  const tasklist = '"Skype.exe","9120","Console","1","80,120 K"\r\n';
  const windows = printing({ [`${SYSTEM32}netstat.exe`]: netstat, [`${SYSTEM32}tasklist.exe`]: tasklist });
  expect(await portHolder(7410, 'win32', windows)).toBe('Skype.exe');
  for (const platform of ['linux', 'darwin', 'win32'] as const) expect(await portHolder(7410, platform, printing({}))).toBeUndefined();
});

test('a program that is missing or fails has no output', async () => {
  expect(await run('pixdock-has-no-such-program', [])).toBeUndefined();
  expect(await run(process.execPath, ['-e', 'process.exit(3)'])).toBeUndefined();
  expect(await run(process.execPath, ['-p', '6 * 7'])).toBe('42\n');
});

test('a taken port is not free, and the suggestion is one that is', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  expect(await isFree(port, '127.0.0.1')).toBe(false);
  const suggestion = (await freePortAfter(port - 1, '127.0.0.1')) ?? 0;
  expect(suggestion).toBeGreaterThan(port);
  expect(await isFree(suggestion, '127.0.0.1')).toBe(true);
});

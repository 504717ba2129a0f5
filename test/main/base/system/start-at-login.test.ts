import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { Reason } from '#main/base/reasons.ts';
import { createStartAtLogin } from '#main/base/system/start-at-login.ts';
import { type Edition, IDENTITIES, identifyOnWindows } from '#main/base/system/windows-identity.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

let isOn = true;
const app = {
  isPackaged: true,
  getLoginItemSettings: vi.fn(() => ({ openAtLogin: isOn, executableWillLaunchAtLogin: true, status: 'enabled' })),
  setLoginItemSettings: vi.fn((item: { openAtLogin: boolean }) => {
    isOn = item.openAtLogin;
  }),
};
const electron = app as unknown as Parameters<typeof createStartAtLogin>[0]['app'];
const onLinux = (autostartFile: string, ...command: [string, ...string[]]) =>
  createStartAtLogin({ platform: 'linux', app: electron, command, autostartFile });

test('on Linux writes a desktop file that starts the program hidden, and removes it', () => {
  const file = join(temporaryFolder(), 'autostart/pixdock.desktop');
  const changed = vi.fn();
  const startAtLogin = onLinux(file, '/opt/My "Apps"/100%/pixdock');
  startAtLogin.onChange(changed);
  expect(startAtLogin.state()).toBe('off');
  startAtLogin.set(true);
  expect(startAtLogin.state()).toBe('on');
  expect(readFileSync(file, 'utf8')).toContain('\nExec="/opt/My \\\\"Apps\\\\"/100%%/pixdock" --hidden\n');
  startAtLogin.set(false);
  expect([startAtLogin.state(), existsSync(file)]).toEqual(['off', false]);
  expect(changed).toHaveBeenCalledTimes(2);
});

test('on Linux names the program again when it has moved', () => {
  const file = join(temporaryFolder(), 'pixdock.desktop');
  onLinux(file, '/home/ada/Pixdock-1.AppImage').set(true);
  expect(onLinux(file, '/home/ada/Pixdock-2.AppImage').state()).toBe('on');
  expect(readFileSync(file, 'utf8')).toContain('Exec=/home/ada/Pixdock-2.AppImage --hidden\n');
});

test.runIf(process.platform === 'linux')('on Linux leaves a desktop file that only the system may change', () => {
  const report = vi.spyOn(console, 'error').mockReturnValue();
  const file = '/proc/version'; // it can be read, but not written
  expect(onLinux(file, '/new').state()).toBe('on');
  expect(report.mock.calls[0]?.[0]).toContain(file);
  report.mockRestore();
});

test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])('on Linux respects %s, set by the desktop', (line) => {
  const folder = join(temporaryFolder(), 'autostart');
  mkdirSync(folder);
  const file = join(folder, 'pixdock.desktop');
  writeFileSync(file, `[Desktop Entry]\nExec=/old\n${line}\n`);
  expect(onLinux(file, '/new').state()).toBe('off');
  expect(readFileSync(file, 'utf8')).toContain('Exec=/old');
});

test.each([
  ['win32', { path: 'C:/Pixdock.exe', args: ['--hidden'] }],
  ['darwin', {}],
] as const)('on %s changes the system’s own list', (platform, item) => {
  isOn = true;
  const startAtLogin = createStartAtLogin({ platform, app: electron, command: ['C:/Pixdock.exe'], autostartFile: '' });
  expect(startAtLogin.state()).toBe('on');
  expect(app.getLoginItemSettings).toHaveBeenLastCalledWith(item);
  startAtLogin.set(false);
  expect(app.setLoginItemSettings).toHaveBeenLastCalledWith({ openAtLogin: false, ...item });
});

test.each([
  [
    'darwin',
    'waits for the user’s approval',
    { openAtLogin: false, executableWillLaunchAtLogin: false, status: 'requires-approval' },
    'blocked',
  ],
  ['darwin', 'is off', { openAtLogin: false, executableWillLaunchAtLogin: false, status: 'not-registered' }, 'off'],
  [
    'win32',
    'was turned off in the Task Manager',
    { openAtLogin: true, executableWillLaunchAtLogin: false, status: 'not-found' },
    'blocked',
  ],
  ['win32', 'is off', { openAtLogin: false, executableWillLaunchAtLogin: false, status: 'not-found' }, 'off'],
] as const)('on %s, an entry that %s is known', (platform, _title, settings, state) => {
  app.getLoginItemSettings.mockReturnValueOnce(settings);
  expect(createStartAtLogin({ platform, app: electron, command: ['C:/Pixdock.exe'], autostartFile: '' }).state()).toBe(state);
});

test.each(['darwin', 'win32'] as const)(
  'on %s a change that the system refuses without a word is an error, and a blocked one isn’t',
  (platform) => {
    const state = { openAtLogin: false, executableWillLaunchAtLogin: false, status: 'not-registered' };
    const refusing = { isPackaged: true, getLoginItemSettings: () => state, setLoginItemSettings: () => undefined };
    const start = (system: object) =>
      createStartAtLogin({ platform, app: system as typeof electron, command: ['C:/Pixdock.exe'], autostartFile: '' });
    expect(() => start(refusing).set(true)).toThrow(new Reason('startAtLoginRefused'));
    const waiting = { openAtLogin: platform === 'win32', executableWillLaunchAtLogin: false, status: 'requires-approval' };
    const blocked = start({ ...refusing, getLoginItemSettings: () => waiting });
    blocked.set(true);
    expect(blocked.state()).toBe('blocked');
  },
);

test('on macOS an app that runs from its source can’t start at login, and doesn’t try', () => {
  const set = vi.fn();
  const system = { isPackaged: false, getLoginItemSettings: () => ({}), setLoginItemSettings: set } as unknown as typeof electron;
  const startAtLogin = createStartAtLogin({ platform: 'darwin', app: system, command: ['/Electron', '/pixdock'], autostartFile: '' });
  expect(startAtLogin.state()).toBe('unavailable');
  expect(() => startAtLogin.set(true)).toThrow(new Reason('startAtLoginRefused'));
  expect(set).not.toHaveBeenCalled();
});

describe('windows identity', () => {
  const ROOT = join(import.meta.dirname, '../../../..');
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

  /** Electron's app on Windows, whose user has the shortcuts that notifications write; `paths` are those the app has set. */
  function windowsApp() {
    const appData = temporaryFolder();
    const paths: Record<string, string> = {};
    const app = Object.assign(new EventEmitter(), {
      setAppUserModelId: vi.fn(),
      setToastActivatorCLSID: vi.fn(),
      setName: vi.fn(),
      getPath: (name: string) => (name === 'appData' ? appData : `${appData}/${app.setName.mock.lastCall?.[0] ?? 'Pixdock'}`),
      setPath(name: string, path: string) {
        paths[name] = path;
      },
    });
    const programs = join(appData, 'Microsoft/Windows/Start Menu/Programs');
    mkdirSync(programs, { recursive: true });
    const shortcuts = Object.values(IDENTITIES).map(({ name }) => join(programs, `${name}.lnk`));
    for (const shortcut of shortcuts) writeFileSync(shortcut, '');
    return { app, paths, appData, remaining: () => shortcuts.map(existsSync) };
  }

  const removeKey = vi.fn();
  beforeEach(() => void removeKey.mockReset());
  const identify = (app: unknown, edition: Edition) =>
    identifyOnWindows(app as Parameters<typeof identifyOnWindows>[0], edition, removeKey);

  test('the installed app has the id of its installer, and keeps its name and shortcut', () => {
    const { app, paths, remaining } = windowsApp();
    identify(app, 'installed');
    expect(app.setAppUserModelId.mock.calls).toEqual([[parse(read('electron-builder.yml')).appId]]);
    expect(app.setName).not.toHaveBeenCalled();
    app.emit('quit');
    expect([paths, remaining()]).toEqual([{}, [true, true, true]]);
    expect(removeKey).not.toHaveBeenCalled();
  });

  test.each([
    ['portable', [true, false, true]],
    ['source', [true, true, false]],
  ] as const)(
    'the %s copy has a name of its own, keeps its data where it was, and removes its own shortcut and class only',
    (edition, left) => {
      const { app, paths, appData, remaining } = windowsApp();
      identify(app, edition);
      expect(app.setName.mock.calls).toEqual([[IDENTITIES[edition].name]]);
      expect(paths).toEqual({ userData: `${appData}/Pixdock` });
      app.emit('quit');
      expect(remaining()).toEqual(left);
      expect(removeKey.mock.calls).toEqual([[`HKCU\\Software\\Classes\\CLSID\\${IDENTITIES[edition].activator}`]]);
    },
  );

  test('no copy shares a name, an id or a class with another', () => {
    const all = Object.values(IDENTITIES);
    for (const part of ['name', 'id', 'activator'] as const) expect(new Set(all.map((identity) => identity[part])).size).toBe(3);
  });

  test('uninstalling removes what the app has written itself, and an update keeps it', () => {
    const script = read('resources/build/installer.nsh');
    expect(script).toContain(`!define TOAST_ACTIVATOR "${IDENTITIES.installed.activator}"`);
    const macro = (name: string) => new RegExp(`!macro ${name}\n(.*?)!macroend`, 's').exec(script)?.[1] ?? '';
    for (const trace of [
      /Delete "\$SMPROGRAMS\\\$\{SHORTCUT_NAME}\.lnk"/,
      /CLSID\\\$\{TOAST_ACTIVATOR}"/,
      /CurrentVersion\\Run" "\$\{APP_ID}"/,
    ])
      expect(macro('removeTraces')).toMatch(trace);
    const [always = '', unlessUpdated = ''] = macro('customUnInstall').split(/\$\{ifNot} \$\{isUpdated}/);
    expect(always).not.toContain('removeTraces');
    expect(unlessUpdated).toMatch(/^\s*!insertmacro removeTraces\s*\$\{endIf\}/);
  });
});

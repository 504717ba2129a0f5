import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnv } from '#main/base/system/env.ts';
import { defaultDataDir } from '#server/platform/config/data-dir.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

test('requires no variables', () => {
  expect(readEnv({ XDG_DATA_HOME: '/share', LOCALAPPDATA: 'C:/Local', XDG_CONFIG_HOME: '/config' })).toEqual({
    launchFile: undefined,
    isPortable: false,
    programFolders: [],
    autostartFolder: join('/config', 'autostart'),
    dataDir: undefined,
    usualDataDir: defaultDataDir({ XDG_DATA_HOME: '/share', LOCALAPPDATA: 'C:/Local' }),
    host: undefined,
    port: undefined,
    editorsPort: 36_677,
    wayland: false,
    desktop: '',
    sessionBus: undefined,
    mayLackTray: false,
  });
});

test('reads host, port, data folder and desktop', () => {
  const given = {
    PIXDOCK_HOST: '0.0.0.0',
    PIXDOCK_PORT: '0',
    PIXDOCK_DATA_DIR: '/data',
    WAYLAND_DISPLAY: 'wayland-0',
    PIXDOCK_EDITORS_PORT: '0',
    XDG_CURRENT_DESKTOP: 'ubuntu:GNOME',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
  };
  expect(readEnv(given)).toMatchObject({
    dataDir: '/data',
    host: '0.0.0.0',
    port: 0,
    editorsPort: 0,
    wayland: true,
    desktop: 'ubuntu:GNOME',
    sessionBus: 'unix:path=/run/user/1000/bus',
  });
});

test.each(['seven', '-1', '65536', '1.5'])('rejects the port %s with a message that names the variable', (port) => {
  expect(() => readEnv({ PIXDOCK_PORT: port })).toThrow('PIXDOCK_PORT');
});

test('an empty variable counts as absent', () => {
  expect(readEnv({ PIXDOCK_PORT: '', PIXDOCK_HOST: '' })).toMatchObject({ port: undefined, host: undefined });
});

test('an AppImage is started by its file, whose program vanishes with it', () => {
  const folder = temporaryFolder();
  const mounted = join(folder, 'mounted');
  mkdirSync(mounted);
  writeFileSync(join(mounted, 'pixdock-desktop'), '');
  const variables = { APPIMAGE: '/home/ada/Pixdock.AppImage', APPDIR: mounted };
  expect(readEnv(variables, join(mounted, 'pixdock-desktop')).launchFile).toBe('/home/ada/Pixdock.AppImage');
  // Inherited from a terminal that is an AppImage.
  const terminal = { APPIMAGE: '/home/ada/Terminal.AppImage', APPDIR: folder };
  expect(readEnv(terminal, '/opt/Pixdock/pixdock-desktop').launchFile).toBeUndefined();
});

test('the portable program of Windows is started by its own file', () => {
  const variables = { PORTABLE_EXECUTABLE_FILE: 'E:\\Pixdock-0.5.0-portable.exe' };
  const unpacked = 'C:\\Users\\ADA~1\\AppData\\Local\\Temp\\nsx1B2C.tmp\\app\\Pixdock.exe';
  expect(readEnv(variables, unpacked)).toMatchObject({ launchFile: 'E:\\Pixdock-0.5.0-portable.exe', isPortable: true });
  // Inherited from another portable program.
  for (const program of ['C:\\Users\\ada\\AppData\\Local\\Programs\\Pixdock\\Pixdock.exe', 'C:\\src\\pixdock\\electron.exe'])
    expect(readEnv(variables, program)).toMatchObject({ launchFile: undefined, isPortable: false });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageBoxOptions } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { en } from '#main/texts/en.ts';
import { canInstallUpdates, setupUpdates } from '#main/updates.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const asked: MessageBoxOptions[] = [];
/** The buttons that the user clicks next; otherwise the second one. */
const choices: number[] = [];
const quit = vi.fn();

const app = { getVersion: () => '0.4.0', quit };
const messageBox = async (options: MessageBoxOptions) => {
  asked.push(options);
  return choices.shift() ?? 1;
};
const always = { app, messageBox, texts: () => en, describe: String, canInstall: true };

beforeEach(() => {
  asked.length = 0;
  choices.length = 0;
  quit.mockReset();
});

/** electron-updater with a feed whose newest version is given. */
function updaterOf(version: string) {
  const calls: string[] = [];
  const updater = {
    autoDownload: true,
    autoInstallOnAppQuit: false,
    checkForUpdates: async () => {
      calls.push(`check, ${updater.autoDownload ? 'download' : 'ask'}`);
      return { isUpdateAvailable: version !== '0.4.0', updateInfo: { version } };
    },
    downloadUpdate: async () => calls.push(`download, install ${updater.autoInstallOnAppQuit ? 'on quit' : 'never'}`),
  };
  return { updater, calls };
}

function packaged(load: Parameters<typeof setupUpdates>[0]['load'], canInstall = true) {
  const resourcesPath = temporaryFolder();
  writeFileSync(join(resourcesPath, 'app-update.yml'), 'provider: generic\nurl: https://example.org/\n');
  return setupUpdates({ ...always, canInstall, resourcesPath, load });
}

const messages = () => asked.map(({ message }) => message);

test('a package without a feed has nothing to check, and loads nothing', () => {
  const load = vi.fn();
  expect(setupUpdates({ ...always, resourcesPath: temporaryFolder(), load })).toBeUndefined();
  expect(load).not.toHaveBeenCalled();
});

test.each([
  ['an AppImage', true, { platform: 'linux', resourcesPath: '/tmp/.mount/resources' }, { launchFile: '/home/ada/Pixdock.AppImage' }],
  ['a deb or rpm', true, { platform: 'linux', resourcesPath: '/opt/Pixdock/resources' }, {}],
  ['an unpacked archive', false, { platform: 'linux', resourcesPath: '/home/ada/pixdock/resources' }, {}],
  ['an installed program on Windows', true, { platform: 'win32', resourcesPath: 'C:/Pixdock/resources' }, {}],
  ['the portable program', false, { platform: 'win32', resourcesPath: 'C:/Temp/resources' }, { isPortable: true }],
  ['an app on macOS', true, { platform: 'darwin', resourcesPath: '/Applications/Pixdock.app/Contents/Resources' }, {}],
] as const)('%s can install updates: %s', (_name, can, place, env) => {
  expect(canInstallUpdates({ launchFile: undefined, isPortable: false, ...env }, place)).toBe(can);
});

test('a package that can’t install updates offers none', () => {
  expect(packaged(async () => updaterOf('0.5.0').updater, false)).toBeUndefined();
});

test('contacts the feed only when asked, and says that the version is the latest', async () => {
  const { updater, calls } = updaterOf('0.4.0');
  const check = packaged(async () => updater);
  expect(calls).toEqual([]);
  await check?.();
  expect(calls).toEqual(['check, ask']);
  expect(messages()).toEqual(['Pixdock 0.4.0 is the latest version.']);
});

test('downloads a newer version only after a yes, and quits to install it only after another', async () => {
  const { updater, calls } = updaterOf('0.5.0');
  const check = packaged(async () => updater);
  await check?.();
  expect(calls).toEqual(['check, ask']);
  choices.push(0, 1);
  await check?.();
  expect(calls.at(-1)).toBe('download, install on quit');
  expect(messages().slice(1)).toEqual(['Pixdock 0.5.0 is available.', 'Pixdock 0.5.0 will be installed when you quit.']);
  expect(quit).not.toHaveBeenCalled();
  choices.push(0, 0);
  await check?.();
  expect(quit).toHaveBeenCalledOnce();
});

test('explains a failure, after which it can be tried again', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  let attempts = 0;
  const check = packaged(async () => {
    attempts += 1;
    throw new Error('no connection');
  });
  await check?.();
  await check?.();
  expect(attempts).toBe(2);
  expect(logged).toHaveBeenCalledTimes(2);
  logged.mockRestore();
  expect(asked[0]).toMatchObject({ type: 'warning', message: 'Couldn’t update Pixdock', detail: 'Error: no connection' });
});

test('a second click while a check runs adds nothing', async () => {
  const { updater, calls } = updaterOf('0.4.0');
  const check = packaged(async () => updater);
  await Promise.all([check?.(), check?.()]);
  expect(calls).toEqual(['check, ask']);
});

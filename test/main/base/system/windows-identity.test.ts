import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type Edition, IDENTITIES, identifyOnWindows } from '#main/base/system/windows-identity.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

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
const identify = (app: unknown, edition: Edition) => identifyOnWindows(app as Parameters<typeof identifyOnWindows>[0], edition, removeKey);

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

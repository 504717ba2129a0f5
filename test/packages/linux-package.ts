import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { extractFile, listPackage } from '@electron/asar';
import { expect, test } from 'playwright/test';
import { FORMAT_NAMES, FORMATS } from '#api/formats.ts';
import manifest from '../../package.json' with { type: 'json' };
import { binariesIn, expectReleaseFuses } from './contents.ts';
import { appImageTree, archName, type Format, packageTree, unpacked } from './places.ts';

const { version } = manifest;

/** Tests of an unpacked package for Linux, and of its deb's tree, as files. What runs in it needs this computer's processor. */
export function testLinuxPackage(arch: string) {
  const folder = unpacked(arch);
  const resources = join(folder, 'resources');
  const archive = join(resources, 'app.asar');
  const isForeign = arch !== process.arch;

  test('contains native modules and a Node for its processor, and none for another', () => {
    const binaries = binariesIn(folder);
    expect(binaries.filter(({ targets }) => `${targets}` !== `linux-${arch}`)).toEqual([]);
    const names = binaries.map(({ path }) => basename(path).replace(/(\.so).*|-\d.*(\.node)/, '$1$2')).sort();
    expect(names).toEqual([`argon2.linux-${arch}-gnu.node`, 'libvips-cpp.so', `linux-${arch}.node`, 'node', `sharp-linux-${arch}.node`]);
  });

  test('contains a Node without symbols, which runs', () => {
    const node = join(resources, 'node/node');
    expect(statSync(node).size).toBeLessThan(112_000_000);
    if (!isForeign) expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(/^v24\./);
  });

  test('the archive contains what Electron runs, and nothing of the service or of other packages', () => {
    const files = listPackage(archive, { isPack: false }).filter((path) => /\.\w+$/.test(path));
    const loaded = (path: string): string[] => {
      const imports = [
        ...extractFile(archive, path)
          .toString()
          .matchAll(/(?:from|import|import\() ?"(\.{1,2}\/[^"]+\.js)"/g),
      ];
      return imports.map(([, name]) => join('dist', path.split('/')[1] ?? '', name ?? ''));
    };
    const needed = new Set(['dist/main/main.js']);
    for (const path of needed) for (const imported of loaded(path)) needed.add(imported);
    // The pages of the app itself are a build of their own.
    const built = files.filter((path) => path.startsWith('/dist/') && !path.startsWith('/dist/pages/')).map((path) => path.slice(1));
    expect(built.sort()).toEqual([...needed, 'dist/preload/preload.cjs'].sort());
    expect(files.filter((path) => !/^\/(dist|resources)\//.test(path))).toEqual(['/package.json']);
    expect(files.filter((path) => /\/build\/|\.map$|node_modules/.test(path))).toEqual([]);
    // The editor of the drafts, the uploader of a joined app and what films the screen and cuts videos are in it, in both languages.
    expect(statSync(archive).size).toBeLessThan(5_600_000);
    // Express is large, and only the service needs it.
    const code = built.filter((path) => path.endsWith('.js')).map((path) => extractFile(archive, path).toString());
    expect(code.filter((text) => text.includes('x-powered-by'))).toEqual([]);
  });

  test('Electron can only run the app as it was packaged', async () => {
    await expectReleaseFuses(join(folder, 'pixdock-desktop'), { encryptsCookies: false });
  });

  for (const format of ['deb', 'rpm'] as const)
    test(`${format}: the desktop file, the window and the app have one name; pictures and pixdock: links open with it`, () => {
      const tree = packageTree(format, arch);
      expect(desktopEntry(tree)).toMatchObject({
        Name: 'Pixdock',
        Exec: '/opt/Pixdock/pixdock-desktop %U',
        Icon: 'pixdock-desktop',
        StartupWMClass: 'org.pixdock.Pixdock',
        Categories: 'Graphics;',
      });
      const pictures = FORMAT_NAMES.flatMap((name): readonly string[] => FORMATS[name].types);
      expect(desktopEntry(tree).MimeType?.split(';').filter(Boolean)).toEqual([...pictures, 'x-scheme-handler/pixdock']);
      expect(JSON.parse(extractFile(archive, 'package.json').toString())).toMatchObject({
        desktopName: 'org.pixdock.Pixdock.desktop',
        version,
      });
      const sizes = readdirSync(join(tree, 'usr/share/icons/hicolor'));
      expect(sizes).toEqual(expect.arrayContaining(['16x16', '48x48', '256x256', '512x512']));
      // Types that the system knows are not described again.
      expect(readdirSync(join(tree, 'usr/share')).sort()).toEqual(['applications', 'icons']);
    });

  test('the deb names its maintainer, puts the command line on the path and lets the sandbox work', () => {
    const tree = packageTree('deb', arch);
    const control = readFileSync(join(tree, 'DEBIAN/control'), 'utf8');
    expect(control).toMatch(/^Package: pixdock$/m);
    expect(control).toMatch(/^Maintainer: The Pixdock authors <\S+@\S+>$/m);
    expect(control).toMatch(new RegExp(`^Architecture: ${archName('deb', arch)}$`, 'm'));
    expect(control).toMatch(/^Recommends: wl-clipboard, bubblewrap$/m);
    expect(linksIn(tree)).toEqual({ pixdock: '/opt/Pixdock/resources/service/pixdock' });
    expect(statSync(join(tree, 'opt/Pixdock/resources/service/pixdock')).mode & 0o111).toBe(0o111);
    const profile = readFileSync(join(tree, 'opt/Pixdock/resources/apparmor-profile'), 'utf8');
    expect(profile).toContain('profile "pixdock-desktop" "/opt/Pixdock/pixdock-desktop" flags=(unconfined)');
    expect(profile).toContain('userns,');
    expect(readFileSync(join(tree, 'DEBIAN/postinst'), 'utf8')).toContain("APPARMOR_PROFILE_TARGET='/etc/apparmor.d/pixdock-desktop'");
    expect(readFileSync(join(tree, 'DEBIAN/postrm'), 'utf8')).toContain('apparmor_parser --remove');
  });

  test('the rpm contains what the deb does, except for AppArmor’s profile, and both programs’ links', () => {
    const tree = packageTree('rpm', arch);
    const filesBelow = (format: Format) => readdirSync(join(packageTree(format, arch), 'opt'), { recursive: true }).sort();
    expect(filesBelow('rpm')).toEqual(filesBelow('deb').filter((path) => path !== join('Pixdock', 'resources', 'apparmor-profile')));
    expect(linksIn(tree)).toEqual({
      pixdock: '/opt/Pixdock/resources/service/pixdock',
      'pixdock-desktop': '/opt/Pixdock/pixdock-desktop',
    });
    for (const link of Object.values(linksIn(tree))) expect(statSync(join(tree, link)).mode & 0o111).toBe(0o111);
  });

  test('the rpm requires libraries, not one distribution’s packages, owns its folders, and shares no file with other Electron apps', () => {
    const spec = readFileSync(join(packageTree('rpm', arch), 'RPM/spec'), 'utf8').split('\n');
    expect(spec).toEqual(
      expect.arrayContaining([
        'Name: pixdock',
        `Version: ${version}`,
        'License: MIT',
        'Recommends: wl-clipboard',
        'Recommends: bubblewrap',
      ]),
    );
    expect(spec).toEqual(expect.arrayContaining(['%define _build_id_links none', '%dir "/opt/Pixdock"', '%dir "/opt/Pixdock/resources"']));
    const required = spec.flatMap((line) => /^Requires: (.*)/.exec(line)?.[1] ?? []);
    expect(required).toContain('libgtk-3.so.0()(64bit)');
    expect(required.filter((name) => !/^lib[\w+.-]+\.so[\d.]*\(\)\(64bit\)$/.test(name))).toEqual(['xdg-utils']);
    // It runs after an update, too.
    const [, scripts = ''] = spec.join('\n').split('%post\n');
    expect(scripts.split('%files')[0]).not.toMatch(/\brm\b|--remove|update-alternatives/);
  });

  test('the AppImage starts without the sandbox only where it can’t work, and the other packages don’t contain its trial', () => {
    const tree = appImageTree(arch);
    const started = (restriction: string | undefined, unshare: number) => startAppImage(tree, restriction, unshare);
    expect(started(undefined, 0)).toEqual(['--hidden', 'a b.png']);
    expect(started('0', 0)).toEqual(['--hidden', 'a b.png']);
    // Ubuntu has a profile for unshare, and none for the AppImage.
    expect(started('1', 0)).toEqual(['--no-sandbox', '--hidden', 'a b.png']);
    expect(started(undefined, 1)).toEqual(['--no-sandbox', '--hidden', 'a b.png']);
    for (const format of ['deb', 'rpm'] as const) expect(readdirSync(join(packageTree(format, arch), 'opt/Pixdock'))).not.toContain('usr');
  });

  test('the command line runs through a link, on the Node of the package', () => {
    test.skip(isForeign, 'its Node runs on another processor');
    const place = mkdtempSync(join(tmpdir(), 'pixdock-path-'));
    try {
      symlinkSync(join(resources, 'service/pixdock'), join(place, 'pixdock'));
      const env = { PATH: '/usr/bin:/bin', HOME: place };
      expect(execFileSync(join(place, 'pixdock'), ['--version'], { env, encoding: 'utf8' })).toBe(`${version}\n`);
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  test('never looks for updates without a feed, and carries the notices of what it contains', () => {
    expect(readdirSync(resources).sort()).toEqual(['THIRD-PARTY-NOTICES.md', 'apparmor-profile', 'app.asar', 'node', 'service'].sort());
    const notices = readFileSync(join(resources, 'THIRD-PARTY-NOTICES.md'), 'utf8');
    for (const name of [`node-linux-${arch}`, `@img/sharp-linux-${arch}`, 'electron'])
      expect(notices).toMatch(new RegExp(`^## ${name} \\d`, 'm'));
  });
}

/** The only desktop file in a package's tree. */
function desktopEntry(tree: string): Record<string, string> {
  const folder = join(tree, 'usr/share/applications');
  expect(readdirSync(folder)).toEqual(['org.pixdock.Pixdock.desktop']);
  const lines = readFileSync(join(folder, 'org.pixdock.Pixdock.desktop'), 'utf8').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => (line.includes('=') ? [[line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]] : [])),
  );
}

/**
 * The arguments that an AppImage's start script passes to the app, on a system with this restriction of user namespaces, where unshare
 * exits with this code.
 */
function startAppImage(tree: string, restriction: string | undefined, unshare: number): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'pixdock-appimage-'));
  try {
    const write = (name: string, content: string) => {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), content, { mode: 0o755 });
    };
    const trial = readFileSync(join(tree, 'usr/sbin/unshare'), 'utf8');
    expect(trial).toContain('/proc/sys/kernel/apparmor_restrict_unprivileged_userns');
    write('AppRun', readFileSync(join(tree, 'AppRun'), 'utf8'));
    write('usr/sbin/unshare', trial.replace('/proc/sys/kernel', folder));
    write('pixdock-desktop', '#!/bin/sh\nprintf "%s\\n" "$@"\n');
    write('system/unshare', `#!/bin/sh\n[ "$*" = '-Ur true' ] && exit ${unshare}\n`);
    if (restriction !== undefined) write('apparmor_restrict_unprivileged_userns', `${restriction}\n`);
    const env = { APPDIR: folder, PATH: `${join(folder, 'system')}:/usr/bin:/bin` };
    return execFileSync(join(folder, 'AppRun'), ['--hidden', 'a b.png'], { env, encoding: 'utf8' }).trimEnd().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The programs that a package puts on the path, and where they lead. */
function linksIn(tree: string): Record<string, string> {
  const folder = join(tree, 'usr/bin');
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readlinkSync(join(folder, name))]));
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { extractFile, listPackage } from '@electron/asar';
import { expect, test } from 'playwright/test';
import manifest from '../../package.json' with { type: 'json' };
import { binariesIn, expectReleaseFuses } from './contents.ts';
import { debTree, unpacked } from './places.ts';

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
    expect(statSync(archive).size).toBeLessThan(6_000_000);
  });

  test('Electron can only run the app as it was packaged', async () => {
    await expectReleaseFuses(join(folder, 'pixdock-desktop'));
  });

  test('the desktop file, the window and the app have one name; pictures and pixdock: links open with it', () => {
    const folderOfDesktopFiles = join(debTree(arch), 'usr/share/applications');
    expect(readdirSync(folderOfDesktopFiles)).toEqual(['org.pixdock.Pixdock.desktop']);
    const entry = Object.fromEntries(
      readFileSync(join(folderOfDesktopFiles, 'org.pixdock.Pixdock.desktop'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('='))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    expect(entry).toMatchObject({
      Name: 'Pixdock',
      Exec: '/opt/Pixdock/pixdock-desktop %U',
      Icon: 'pixdock-desktop',
      StartupWMClass: 'org.pixdock.Pixdock',
      Categories: 'Graphics;',
    });
    const pictures = ['png', 'jpeg', 'gif', 'webp', 'avif', 'heic', 'heif', 'bmp', 'tiff', 'svg+xml'].map((type) => `image/${type}`);
    expect(entry.MimeType?.split(';').filter(Boolean)).toEqual([...pictures, 'x-scheme-handler/pixdock']);
    expect(JSON.parse(extractFile(archive, 'package.json').toString())).toMatchObject({
      desktopName: 'org.pixdock.Pixdock.desktop',
      version,
    });
    const sizes = readdirSync(join(debTree(arch), 'usr/share/icons/hicolor'));
    expect(sizes).toEqual(expect.arrayContaining(['16x16', '48x48', '256x256', '512x512']));
    // Types that the system knows are not described again.
    expect(readdirSync(join(debTree(arch), 'usr/share')).sort()).toEqual(['applications', 'icons']);
  });

  test('the deb names its maintainer, puts the command line on the path and lets the sandbox work', () => {
    const tree = debTree(arch);
    const control = readFileSync(join(tree, 'DEBIAN/control'), 'utf8');
    expect(control).toMatch(/^Package: pixdock$/m);
    expect(control).toMatch(/^Maintainer: The Pixdock authors <\S+@\S+>$/m);
    expect(control).toMatch(new RegExp(`^Architecture: ${arch === 'x64' ? 'amd64' : arch}$`, 'm'));
    expect(readlinkSync(join(tree, 'usr/bin/pixdock'))).toBe('/opt/Pixdock/resources/service/pixdock');
    expect(statSync(join(tree, 'opt/Pixdock/resources/service/pixdock')).mode & 0o111).toBe(0o111);
    const profile = readFileSync(join(tree, 'opt/Pixdock/resources/apparmor-profile'), 'utf8');
    expect(profile).toContain('profile "pixdock-desktop" "/opt/Pixdock/pixdock-desktop" flags=(unconfined)');
    expect(profile).toContain('userns,');
    expect(readFileSync(join(tree, 'DEBIAN/postinst'), 'utf8')).toContain("APPARMOR_PROFILE_TARGET='/etc/apparmor.d/pixdock-desktop'");
    expect(readFileSync(join(tree, 'DEBIAN/postrm'), 'utf8')).toContain('apparmor_parser --remove');
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

import { hash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { getRawHeader } from '@electron/asar';
import { expect, test } from 'playwright/test';
import { NtExecutable, NtExecutableResource } from 'resedit';
import { SERVICE_TYPE } from '#main/lan/names.ts';
import { packageFor } from './build-package.ts';
import { binariesIn, expectReleaseFuses } from './contents.ts';
import { testLinuxPackage } from './linux-package.ts';
import { RELEASE, type Target } from './places.ts';
import { ELECTRON_UUID } from './stand-in.ts';

// Packages for the systems and processors that this computer doesn't have. npm downloads their native modules, so these aren't part of `npm test`.

test.setTimeout(300_000);
const other = process.arch === 'x64' ? 'arm64' : 'x64';

/** Where electron-builder puts the unpacked packages, below the folder of releases. */
const UNPACKED: Record<string, string> = {
  'win32-x64': 'win-unpacked',
  'win32-arm64': 'win-arm64-unpacked',
  'darwin-x64': 'mac/Pixdock.app/Contents',
  'darwin-arm64': 'mac-arm64/Pixdock.app/Contents',
};
const folderOf = ({ platform, arch }: Target) => join(RELEASE, UNPACKED[`${platform}-${arch}`] ?? '');

test.describe('Linux on the other processor', () => {
  test('is packaged', () => packageFor({ platform: 'linux', arch: other }));
  testLinuxPackage(other);
});

for (const arch of ['x64', 'arm64']) {
  test(`Windows ${arch}: only its own native modules, the command line, and an archive that Electron checks`, async () => {
    const target: Target = { platform: 'win32', arch };
    await packageFor(target);
    const folder = folderOf(target);
    const binaries = binariesIn(folder).filter(({ path }) => path !== 'Pixdock.exe');
    expect(binaries.filter(({ targets }) => `${targets}` !== `win32-${arch}`)).toEqual([]);
    expect(binaries.map(({ path }) => basename(path).replace(/-\d[^/]*(\.\w+)$/, '$1')).sort()).toEqual([
      `argon2.win32-${arch}-msvc.node`,
      expect.stringMatching(/^libvips-.*\.dll$/),
      'libvips.dll',
      `sharp-win32-${arch}.node`,
      `win32-${arch}.node`,
    ]);
    expect(readdirSync(join(folder, 'resources'))).toEqual(expect.arrayContaining(['app.asar', 'path.ps1', 'service']));
    expect(readdirSync(join(folder, 'resources'))).not.toContain('app-update.yml');
    expect(readFileSync(join(folder, 'resources/service/pixdock.cmd'), 'utf8')).toContain('cli\\pixdock.js');
    await expectReleaseFuses(join(folder, 'Pixdock.exe'), { encryptsCookies: true });
    const { entries } = NtExecutableResource.from(NtExecutable.from(readFileSync(join(folder, 'Pixdock.exe'))));
    const integrity = entries.find(({ type }) => type === 'INTEGRITY');
    expect(JSON.parse(Buffer.from(integrity?.bin ?? new ArrayBuffer()).toString())).toEqual([
      { file: 'resources\\app.asar', alg: 'SHA256', value: hashOf(join(folder, 'resources/app.asar')) },
    ]);
  });

  test(`macOS ${arch}: only its own native modules, picture types, pixdock: links, the local network, and an archive that Electron checks`, async () => {
    const target: Target = { platform: 'darwin', arch };
    await packageFor(target);
    const contents = folderOf(target);
    const binaries = binariesIn(contents);
    expect(binaries.filter(({ targets }) => !targets.includes(`darwin-${arch}`))).toEqual([]);
    expect(
      binaries
        .filter(({ path }) => /\.(node|dylib)$/.test(path))
        .map(({ path }) =>
          basename(path)
            .replace(/-\d[^/]*(\.\w+)$/, '$1')
            .replace(/(\.\d+)+(?=\.dylib$)/, ''),
        )
        .sort(),
    ).toEqual([`argon2.darwin-${arch}.node`, `darwin-${arch}.node`, 'libvips-cpp.dylib', `sharp-darwin-${arch}.node`]);
    const plist = readFileSync(join(contents, 'Info.plist'), 'utf8');
    expect(plist).toMatch(/<key>CFBundleURLSchemes<\/key>\s*<array>\s*<string>pixdock<\/string>/);
    for (const extension of ['png', 'jpg', 'gif', 'webp', 'avif', 'heic', 'bmp', 'tiff', 'svg'])
      expect(plist).toContain(`<string>${extension}</string>`);
    expect(plist.match(/<string>Alternate<\/string>/g)).toHaveLength(9);
    expect(plist).toContain(`<string>${hashOf(join(contents, 'Resources/app.asar'))}</string>`);
    await expectReleaseFuses(join(contents, 'MacOS/Pixdock'), { encryptsCookies: true });
    expect(plist).toMatch(new RegExp(`<key>NSBonjourServices</key>\\s*<array>\\s*<string>_${SERVICE_TYPE}\\._tcp</string>`));
    const reason = /<key>NSLocalNetworkUsageDescription<\/key>\s*<string>([^<]+)</.exec(plist)?.[1];
    const inChinese = readFileSync(join(contents, 'Resources/zh_CN.lproj/InfoPlist.strings'), 'utf8');
    expect([reason, inChinese]).toEqual([
      expect.stringContaining('your network'),
      expect.stringMatching(/^"NSLocalNetworkUsageDescription" = ".*本地网络.*";$/m),
    ]);
    for (const name of ['NSMicrophoneUsageDescription', 'NSAudioCaptureUsageDescription']) {
      expect(plist).toMatch(new RegExp(`<key>${name}</key>\\s*<string>[^<]+recordings`));
      expect(inChinese).toMatch(new RegExp(`^"${name}" = ".*录屏.*";$`, 'm'));
    }
    // macOS keys the permission for the local network by the program's UUID.
    const programs = globSync('{MacOS/*,Frameworks/*.app/Contents/MacOS/*}', { cwd: contents });
    const uuids = programs.map((program) => readFileSync(join(contents, program)).toString('hex', 40, 56));
    expect(uuids).toHaveLength(5);
    expect(uuids).not.toContain(ELECTRON_UUID);
    expect(new Set(uuids).size).toBe(5);
  });
}

/** What Electron compares when it opens an archive: the hash of its list of files. */
const hashOf = (archive: string) => hash('sha256', getRawHeader(archive).headerString);

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import type { Target } from './places.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOUBLE = join(ROOT, 'test/desktop/double');

/** What @electron/fuses looks for in the program: the mark, the version of the list, its length, and the states that Electron is built with. */
const FUSES = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u000810110001';

/** Only the presence of these files matters. */
const FILES = [
  'LICENSE',
  'LICENSES.chromium.html',
  'chrome_100_percent.pak',
  'chrome_200_percent.pak',
  'icudtl.dat',
  'locales/de.pak',
  'locales/en-US.pak',
  'locales/zh-CN.pak',
  'resources.pak',
  'snapshot_blob.bin',
  'v8_context_snapshot.bin',
  'version',
];

const PROGRAM = `#!/bin/sh
# Plays Electron: starts the double with the app beside this program.
here=$(dirname "$(readlink -f "$0")")
for argument in "$@"; do case $argument in --inspect*) inspect=$argument ;; esac; done
export ELECTRON_DOUBLE_PACKAGE=$here/resources
exec "\${ELECTRON_DOUBLE_NODE:-node}" \${inspect:+"$inspect"} --import '${DOUBLE}/register.ts' '${DOUBLE}/boot.ts' "$@"
# ${FUSES}
`;

/** Writes a folder shaped like Electron's distribution. On Linux, its program starts the Electron double; elsewhere nothing runs. */
export function writeElectronStandIn(folder: string, { platform, arch }: Target) {
  rmSync(folder, { recursive: true, force: true });
  if (platform === 'darwin') return writeMacApp(join(folder, 'Electron.app/Contents'), arch);
  for (const file of FILES) write(join(folder, file), 'stand-in');
  if (platform === 'win32') return writeFileSync(join(folder, 'electron.exe'), windowsProgram());
  for (const program of ['chrome-sandbox', 'chrome_crashpad_handler']) write(join(folder, program), '#!/bin/sh\n', 0o755);
  write(join(folder, 'electron'), PROGRAM, 0o755);
}

/** A program without code: electron-builder reads its version and adds the archive's hash to its resources. */
function windowsProgram(): Buffer {
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const version = Resource.VersionInfo.createEmpty();
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.concat([Buffer.from(program.generate()), Buffer.from(FUSES, 'latin1')]);
}

/** The UUID of all programs of a version of Electron. */
export const ELECTRON_UUID = '4c4c44ae55553144a1c7458ead24ed10';

/** A program without code for macOS: the header and its only command, the UUID. */
function macProgram(arch: string): Buffer {
  const program = Buffer.alloc(64);
  for (const [index, value] of [0xfeedfacf, arch === 'x64' ? 0x0100_0007 : 0x0100_000c, 0, 2, 1, 24].entries())
    program.writeUInt32LE(value, index * 4);
  program.writeUInt32LE(0x1b, 32);
  program.writeUInt32LE(24, 36);
  program.write(ELECTRON_UUID, 40, 'hex');
  return program;
}

function writeMacApp(contents: string, arch: string) {
  const bundle = (folder: string, name: string) => {
    write(join(folder, 'Info.plist'), plist(name));
    write(join(folder, 'MacOS', name), macProgram(arch), 0o755);
  };
  bundle(contents, 'Electron');
  for (const name of ['', ' (GPU)', ' (Plugin)', ' (Renderer)'].map((kind) => `Electron Helper${kind}`)) {
    bundle(join(contents, 'Frameworks', `${name}.app/Contents`), name);
  }
  const framework = join(contents, 'Frameworks/Electron Framework.framework');
  write(join(framework, 'Versions/A/Electron Framework'), FUSES);
  for (const name of ['Electron Framework', 'Resources']) symlinkSync(`Versions/A/${name}`, join(framework, name));
  for (const language of ['de', 'en', 'zh_CN']) {
    write(join(framework, 'Versions/A/Resources', `${language}.lproj/locale.pak`), 'stand-in');
    write(join(contents, 'Resources', `${language}.lproj/locale.pak`), 'stand-in');
  }
  write(join(contents, 'Resources/electron.icns'), 'stand-in');
}

const plist = (name: string) => `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>CFBundleExecutable</key><string>${name}</string></dict></plist>
`;

/** Writes a program that electron-builder starts in fpm's place. */
export function writeFpmStandIn(file: string) {
  write(file, `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'fpm.ts')}' "$@"\n`, 0o755);
}

/** Writes the tools for AppImages, of which only the one that packs the files does anything: it links them into a tree beside the AppImage. */
export function writeAppImageTools(folder: string) {
  write(join(folder, 'mksquashfs'), '#!/bin/sh\nrm -rf "$2-tree"\ncp -a --link "$1" "$2-tree"\necho packed > "$2"\n', 0o755);
  for (const arch of ['x64', 'arm64']) {
    write(join(folder, 'runtimes', `runtime-${arch}`), 'runtime');
    write(join(folder, 'lib', arch, 'libnotify.so.4'), 'stand-in');
  }
  write(join(folder, 'desktop-file-validate'), '#!/bin/sh\n', 0o755);
}

function write(path: string, content: string | Buffer, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { encoding: 'latin1', mode });
}

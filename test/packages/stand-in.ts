import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** Writes a folder shaped like Electron's distribution for Linux, whose program starts the Electron double. */
export function writeElectronStandIn(folder: string) {
  rmSync(folder, { recursive: true, force: true });
  for (const file of FILES) write(join(folder, file), 'stand-in');
  for (const program of ['chrome-sandbox', 'chrome_crashpad_handler']) write(join(folder, program), '#!/bin/sh\n', 0o755);
  write(join(folder, 'electron'), PROGRAM, 0o755);
}

/** Writes a program that electron-builder starts in fpm's place. */
export function writeFpmStandIn(file: string) {
  write(file, `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'fpm.ts')}' "$@"\n`, 0o755);
}

function write(path: string, content: string, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { encoding: 'latin1', mode });
}

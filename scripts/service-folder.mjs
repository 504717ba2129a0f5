// Assembles the service as a folder of plain files that runs on its own: the build, and this system's native modules.
// Usage: `node scripts/service-folder.mjs <folder>`.
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './bootstrap.mjs';

const BUILT = ['server', 'chunks', 'cli', 'renderer'];
/** Native packages and what they need at run time; everything else is bundled. Without a list of parts, the whole package is copied. */
export const PACKAGES = {
  'better-sqlite3': ['package.json', 'LICENSE', 'lib', join('prebuilds', `${process.platform}-${process.arch}.node`)],
  sharp: ['package.json', 'LICENSE', 'dist'],
  '@img': undefined,
  'detect-libc': undefined,
  semver: undefined,
  '@node-rs': undefined,
};

/** The command line's launchers: they run the Node shipped with the app (Linux), else the system's. */
const PROGRAMS = {
  pixdock: `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
node=$here/../node/node
[ -x "$node" ] || node=node
exec "$node" "$here/dist/cli/pixdock.js" "$@"
`,
  'pixdock.cmd': '@node "%~dp0dist\\cli\\pixdock.js" %*\r\n',
};

/** Writes the folder, replacing what is there. */
export function writeServiceFolder(target) {
  rmSync(target, { recursive: true, force: true });
  copy('package.json', target);
  for (const part of BUILT) copy(join('dist', part), target);
  for (const [name, parts = ['']] of Object.entries(PACKAGES)) for (const part of parts) copy(join('node_modules', name, part), target);
  const program = process.platform === 'win32' ? 'pixdock.cmd' : 'pixdock';
  writeFileSync(join(target, program), PROGRAMS[program], { mode: 0o755 });
}

/** The same path below the target; source maps and type declarations are for developers. */
function copy(path, target) {
  const filter = (file) => !/\.(map|d\.[cm]?ts)$/.test(basename(file));
  cpSync(join(root, path), join(target, path), { recursive: true, dereference: true, filter });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeServiceFolder(process.argv[2]);

// Assembles the service as a folder of plain files that runs on its own: the build, and a system's native modules.
// Usage: `node scripts/service-folder.mjs <folder>`.
import { cpSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './bootstrap.mjs';
import { builtModules } from './package/built-modules.mjs';
import { copiedPackages, modulesFor } from './package/natives.mjs';
import { HOST } from './package/target.mjs';

/** The command line and what it starts: the service, with its other processes and threads. */
export const COMMAND_LINE = [
  'cli/pixdock.js',
  'cli/markdown-worker.js',
  ...['arrival-worker', 'decoder', 'decoder-worker', 'file-worker', 'start-check-worker'].map((name) => `server/${name}.js`),
];
/** The programs in it: the service in its forms, and the command line. */
const PROGRAMS = ['server/bin.js', 'server/child.js', ...COMMAND_LINE];

/** The command line's launchers: they run the Node shipped with the app (Linux), else the system's. */
const LAUNCHERS = {
  pixdock: `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
node=$here/../node/node
[ -x "$node" ] || node=$(command -v node) || { echo 'pixdock: Node 24 or newer is missing. Install it from https://nodejs.org.' >&2; exit 1; }
exec "$node" "$here/dist/cli/pixdock.js" "$@"
`,
  'pixdock.cmd': `@echo off\r
where /q node || (echo pixdock: Node 24 or newer is missing. Install it from https://nodejs.org. 1>&2 & exit /b 1)\r
node "%~dp0dist\\cli\\pixdock.js" %*\r
`,
};

/** Writes the folder for a target, replacing what is there. Throws when one of its native modules is missing. */
export function writeServiceFolder(folder, target = HOST) {
  const modules = modulesFor(target);
  rmSync(folder, { recursive: true, force: true });
  copyBuild(PROGRAMS, folder);
  copy(root, 'package.json', folder);
  copyParts(copiedPackages(target), modules, folder);
  const launcher = target.platform === 'win32' ? 'pixdock.cmd' : 'pixdock';
  writeFileSync(join(folder, launcher), LAUNCHERS[launcher], { mode: 0o755 });
}

/** Copies the given programs of the build, the files that they load, and the web application. */
export function copyBuild(programs, folder) {
  const assets = globSync('dist/server/*.wasm', { cwd: root });
  for (const path of [...assets, 'dist/renderer', ...builtModules(programs)]) copy(root, path, folder);
}

/** Copies packages from a `node_modules`, each with the parts listed, or all of it. */
export function copyParts(packages, modules, folder) {
  for (const [name, parts = ['']] of Object.entries(packages)) {
    for (const part of parts) copy(join(modules, '..'), join('node_modules', name, part), folder);
  }
}

/** The same path below the target; source maps and type declarations are for developers. */
function copy(source, path, target) {
  const filter = (file) => !/\.(map|d\.[cm]?ts)$/.test(basename(file));
  cpSync(join(source, path), join(target, path), { recursive: true, dereference: true, filter });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) writeServiceFolder(process.argv[2]);

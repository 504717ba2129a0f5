// The npm package: the service and the command line, without the desktop app. npm installs the native modules of each system.
// Usage: `node scripts/package/npm-package.mjs <folder>` packs the finished build into a folder.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../bootstrap.mjs';
import { writeBundledNotices } from '../notices.mjs';
import { COMMAND_LINE, copyBuild, copyParts } from '../service-folder.mjs';
import { RECOGNITION } from './natives.mjs';

/** What npm installs for each system. */
const NATIVE = ['@node-rs/argon2', 'better-sqlite3', 'sharp'];

/** What is in the package itself: npm would install ten times as much of it. */
const BUNDLED = Object.keys(RECOGNITION);

/** Packs the build into a folder, as `pixdock-<version>.tgz`, and returns the file's path. Throws when npm fails. */
export function packForNpm(folder) {
  const stage = join(folder, 'stage/npm');
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  const manifest = manifestOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  copyBuild(COMMAND_LINE, stage);
  copyParts(RECOGNITION, join(root, 'node_modules'), stage);
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  copyFileSync(join(root, 'resources/npm/README.md'), join(stage, 'README.md'));
  writeBundledNotices(join(stage, 'THIRD-PARTY-NOTICES.md'), BUNDLED);
  const run = spawnSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', '../..'], {
    cwd: stage,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (run.status !== 0) throw new Error('The npm package could not be packed: npm pack failed.');
  return join(folder, `${manifest.name}-${manifest.version}.tgz`);
}

/** The package's own manifest; the project's stays private. */
export function manifestOf({ name, version, description, license, author, homepage, type, bin, engines, dependencies }) {
  return {
    name,
    version,
    description,
    keywords: ['image', 'hosting', 'upload', 'screenshot', 'picgo', 'markdown'],
    license,
    author,
    homepage,
    repository: { type: 'git', url: `git+${homepage}.git` },
    type,
    bin,
    files: ['dist', 'THIRD-PARTY-NOTICES.md'],
    engines,
    dependencies: Object.fromEntries([...NATIVE, ...BUNDLED].map((one) => [one, dependencies[one]])),
    bundleDependencies: BUNDLED,
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) console.log(packForNpm(resolve(process.argv[2])));

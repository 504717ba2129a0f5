// The installed packages for a target: the project's own, or those that npm installs for another system, with the hashes of the lockfile.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';
import { HOST, nameOf } from './target.mjs';

/** npm's names for @node-rs's variants; sharp names its own after Node's platform and processor. */
const ARGON2 = {
  'linux-x64': 'linux-x64-gnu',
  'linux-arm64': 'linux-arm64-gnu',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-x64-msvc',
  'win32-arm64': 'win32-arm64-msvc',
};

/** Files that npm needs for an installation. */
const MANIFESTS = ['package.json', 'package-lock.json', '.npmrc'];

/** Tesseract, and the languages it reads, with the tenth of their files that is used: the same on all systems. They find their files beside themselves. */
export const RECOGNITION = {
  'tesseract.js-core': ['package.json', 'LICENSE', 'tesseract-core-simd-lstm.js', 'tesseract-core-simd-lstm.wasm'],
  '@tesseract.js-data/eng': ['package.json', '4.0.0_best_int'],
  '@tesseract.js-data/chi_sim': ['package.json', '4.0.0_best_int'],
};

/** The packages that are copied beside the bundles, each with the parts it needs at run time; without a list, all of it. */
export function copiedPackages(target) {
  const name = nameOf(target);
  return {
    'better-sqlite3': ['package.json', 'LICENSE', 'lib', join('prebuilds', `${name}.node`)],
    sharp: ['package.json', 'LICENSE', 'dist'],
    '@img/colour': undefined,
    [`@img/sharp-${name}`]: undefined,
    // On Windows, sharp's own package contains libvips.
    ...(target.platform === 'win32' ? {} : { [`@img/sharp-libvips-${name}`]: undefined }),
    'detect-libc': undefined,
    semver: undefined,
    '@node-rs/argon2': undefined,
    [`@node-rs/argon2-${ARGON2[name]}`]: undefined,
    ...RECOGNITION,
  };
}

/** The package with the Node that runs the service: on Linux only, since the other systems use Electron's. */
export const nodePackage = (target) => (target.platform === 'linux' ? `node-${nameOf(target)}` : undefined);

/** The `node_modules` of a target. Throws an error that names what is missing there. */
export function modulesFor(target) {
  if (!ARGON2[nameOf(target)]) throw new Error(`Pixdock can't be packaged for ${nameOf(target)}: there are no native modules for it.`);
  const modules = nameOf(target) === nameOf(HOST) ? join(root, 'node_modules') : installedFor(target);
  requireModules(modules, target);
  return modules;
}

/** Throws an error that names the parts of native packages which a `node_modules` lacks for a target. */
export function requireModules(modules, target) {
  const parts = Object.entries(copiedPackages(target)).flatMap(([name, list = ['package.json']]) => list.map((part) => `${name}/${part}`));
  const node = nodePackage(target);
  const missing = [...parts, ...(node ? [`${node}/bin/node`] : [])].filter((part) => !existsSync(join(modules, part)));
  if (missing.length === 0) return;
  throw new Error(
    `Pixdock can't be packaged for ${nameOf(target)}: ${modules} lacks ${missing.join(', ')}. Run "npm ci" and check that npm doesn't omit optional packages.`,
  );
}

/** Another system's packages are installed once for each lockfile. */
function installedFor(target) {
  const folder = join(root, '.cache/packages', nameOf(target));
  const modules = join(folder, 'node_modules');
  const stamp = join(folder, '.installed');
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return modules;
  console.error(`Installing the packages for ${nameOf(target)}…`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of MANIFESTS) copyFileSync(join(root, name), join(folder, name));
  const system = [`--os=${target.platform}`, `--cpu=${target.arch}`, ...(target.platform === 'linux' ? ['--libc=glibc'] : [])];
  const run = spawnSync('npm', ['ci', '--omit=dev', '--ignore-scripts', ...system], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (run.status !== 0) throw new Error(`The packages for ${nameOf(target)} could not be installed: npm ci failed.`);
  writeFileSync(stamp, lock);
  return modules;
}

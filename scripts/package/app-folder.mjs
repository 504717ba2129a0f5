// Assembles what goes into the app's archive: what Electron itself runs, without the service's parts of the build.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../bootstrap.mjs';
import { builtModules } from './built-modules.mjs';

/** Of `resources/`, what only builds read. */
const SOURCES = ['build', 'icon.svg'];
/** The manifest's fields that the app or electron-builder read. All packages are bundled, so there are no dependencies. */
const FIELDS = ['name', 'productName', 'version', 'description', 'license', 'author', 'homepage', 'desktopName', 'type', 'main'];

/** Writes the folder, replacing what is there. */
export function writeAppFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  const resources = readdirSync(join(root, 'resources')).filter((name) => !SOURCES.includes(name));
  const built = ['dist/preload/preload.cjs', ...readdirSync(join(root, 'dist/pages')).map((name) => `dist/pages/${name}`)];
  const paths = [...resources.map((name) => `resources/${name}`), ...built, ...builtModules(['main/main.js'])];
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const kept = Object.fromEntries(FIELDS.map((field) => [field, manifest[field]]));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`);
}

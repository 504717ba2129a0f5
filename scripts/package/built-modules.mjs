// Which files of the build each program loads, from the bundler's own list.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';

/** Written by vite.node.config.ts. */
export const MODULE_LIST = 'dist/modules.json';

/** The paths of the files that the given entries load, themselves included: `dist/main/main.js`, `dist/chunks/desktop.js`. */
export function builtModules(entries) {
  const list = JSON.parse(readFileSync(join(root, MODULE_LIST), 'utf8'));
  const found = new Set(entries);
  for (const name of found) {
    if (!list[name]) throw new Error(`${MODULE_LIST} doesn't list ${name}. Run "npm run build".`);
    for (const imported of list[name]) found.add(imported);
  }
  return [...found].map((name) => `dist/${name}`);
}

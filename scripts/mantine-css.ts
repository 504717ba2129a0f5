import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '..');
const MANTINE = join(ROOT, 'node_modules/@mantine');
const ALL = join(MANTINE, 'core/styles.layer.css');
/** Whose components are used: the application's pages, and Mantine's packages that are built on its core. */
const USERS = [join(ROOT, 'renderer'), ...['notifications', 'modals', 'charts'].map((name) => join(MANTINE, name, 'esm'))];

/** Reduces Mantine's stylesheet, which is for all of its components, to those that the application uses and what these are made of. */
export function mantineStyles(): Plugin {
  return {
    name: 'pixdock-mantine-css',
    apply: 'build',
    load: { filter: { id: /@mantine[\\/]core[\\/]styles\.layer\.css$/ }, handler: () => stylesOf(foldersOf(usedNames())) },
  };
}

/** The names that the users import from Mantine's core. */
function usedNames(): Set<string> {
  const names = new Set<string>();
  for (const folder of USERS)
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(tsx?|mjs)$/.test(path)) continue;
      const imports = readFileSync(join(folder, path), 'utf8').matchAll(/import\s*\{([^}]*)\}\s*from\s*['"]@mantine\/core['"]/g);
      for (const [, list = ''] of imports) for (const name of list.split(',')) names.add(name.trim().split(/\s/)[0] ?? '');
    }
  return names;
}

/** The folders of these names and, following the imports, of everything inside the components; each has its own stylesheet. */
function foldersOf(names: ReadonlySet<string>): Set<string> {
  const index = join(MANTINE, 'core/esm/index.mjs');
  const visited = new Set<string>();
  const visit = (path: string) => {
    if (visited.has(path) || !existsSync(path)) return;
    visited.add(path);
    for (const [, to = ''] of readFileSync(path, 'utf8').matchAll(/from "(\.[^"]+)"/g)) visit(resolve(dirname(path), to));
  };
  for (const [, list = '', path = ''] of readFileSync(index, 'utf8').matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g))
    if (list.split(',').some((name) => names.has(name.trim().split(/\s/).at(-1) ?? ''))) visit(resolve(dirname(index), path));
  return new Set([...visited].flatMap((path) => path.split(/[\\/]/)));
}

/** The stylesheets of these folders, and those that belong to no component, in the order that they have in the whole. */
function stylesOf(folders: ReadonlySet<string>): string {
  const all = readFileSync(ALL, 'utf8');
  const sheets = readdirSync(join(MANTINE, 'core/styles'))
    .filter((name) => name.endsWith('.layer.css'))
    .map((name) => ({ name: name.replace('.layer.css', ''), text: readFileSync(join(MANTINE, 'core/styles', name), 'utf8').trim() }))
    .map(({ name, text }) => ({
      name,
      text,
      at: all.indexOf(
        text
          .replace(/^@layer mantine \{/, '')
          .replace(/\}$/, '')
          .trim(),
      ),
    }))
    .filter(({ name, at }) => at >= 0 && (/^[a-z]/.test(name) || folders.has(name)));
  return sheets
    .sort((one, other) => one.at - other.at)
    .map(({ text }) => text)
    .join('\n');
}

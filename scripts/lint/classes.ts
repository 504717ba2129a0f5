// `node scripts/lint/classes.ts [root]` lists every class of a CSS module that doesn't exist, where a component or `composes` names it, and
// ends with 1 when there is one. Nothing else fails then: the elements get the class `undefined`, or none.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, preprocessCSS, resolveConfig } from 'vite';
import { type Node, resolve, visit } from './import-graph.ts';

const SHEET = /\.module\.css$/;

/** Every use of an unknown class below `root`, as `file: class`. */
export async function findUnknownClasses(root: string): Promise<string[]> {
  const find = (pattern: string) => globSync(pattern, { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  const config = await resolveConfig({ root, configFile: false, logLevel: 'silent' }, 'build', 'production', 'production');
  const known = new Map<string, Set<string>>();
  const unknown: string[] = [];
  for (const path of find('renderer/**/*.module.css')) {
    try {
      const { modules = {} } = await preprocessCSS(readFileSync(join(root, path), 'utf8'), join(root, path), config);
      known.set(path, new Set(Object.keys(modules)));
      // What a class composes follows its own name.
      for (const [name, names] of Object.entries(modules))
        if (names.split(' ').includes('undefined')) unknown.push(`${path}: what ${name} composes`);
    } catch (error) {
      unknown.push(`${path}: ${(error as Error).message}`);
    }
  }
  for (const path of find('renderer/**/*.{ts,tsx}'))
    for (const { sheet, name } of classesIn(path, readFileSync(join(root, path), 'utf8')))
      if (name === undefined || !known.get(sheet)?.has(name)) unknown.push(`${path}: ${name ?? `a computed class of ${sheet}`}`);
  return unknown;
}

/** The classes that a file takes from CSS modules; without a name where only running the code would tell. */
function classesIn(path: string, text: string): { sheet: string; name: string | undefined }[] {
  if (!text.includes('.module.css')) return [];
  const { program } = parseSync(path, text);
  const sheets = new Map<string, string>();
  const found: { sheet: string; name: string | undefined }[] = [];
  visit(program, (node) => {
    const { type, source, specifiers, object, property, computed } = node as Node & Parts;
    if (type === 'ImportDeclaration' && SHEET.test(source.value))
      for (const { local } of specifiers) sheets.set(local.name, resolve(path, source.value) ?? source.value);
    const sheet = type === 'MemberExpression' && object.type === 'Identifier' && sheets.get(object.name);
    if (sheet) found.push({ sheet, name: computed ? property.value : property.name });
  });
  return found;
}

/** What the two kinds of nodes have that matter here. */
interface Parts {
  source: { value: string };
  specifiers: { local: { name: string } }[];
  object: { type: string; name: string };
  property: { name: string; value?: string };
  computed: boolean;
}

if (import.meta.main) {
  const unknown = await findUnknownClasses(process.argv[2] ?? join(import.meta.dirname, '../..'));
  for (const line of unknown) console.error(`unknown class: ${line}`);
  console.log(`CSS classes: ${unknown.length} unknown.`);
  if (unknown.length > 0) process.exit(1);
}

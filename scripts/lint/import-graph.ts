import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';

/** One import of one file by another, both as paths from the project's root. */
export interface Import {
  from: string;
  to: string;
}

const SOURCE = /(?<!\.d)\.tsx?$/;

/** Every source file below `folders`, as paths from `root`. */
export function sourceFiles(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  );
}

/** Every import between `files`: static, dynamic, re-exports and types. Packages and other files are left out. */
export function importsOf(root: string, files: readonly string[]): Import[] {
  const known = new Set(files);
  return files.flatMap((from) =>
    specifiersIn(from, readFileSync(join(root, from), 'utf8'))
      .map((specifier) => resolve(from, specifier))
      .filter((to): to is string => to !== undefined && known.has(to))
      .map((to) => ({ from, to })),
  );
}

function specifiersIn(path: string, text: string): string[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const found: string[] = [];
  visit(program, (node) => {
    // Declarations and calls name a module in `source`; types in `import('…').T` do, too.
    const { value } = (node.source ?? {}) as { value?: unknown };
    if (/^(Import|Export|TSImport)/.test(node.type) && typeof value === 'string') found.push(value);
  });
  return found;
}

export type Node = { type: string; source?: unknown };

export function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') see(value as Node);
  for (const child of Object.values(value)) visit(child, see);
}

/** The path that a specifier of this project names: relative, or `#folder/…` as in package.json. */
export function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(from), specifier).replaceAll('\\', '/') : undefined;
}

/** Groups of files that import each other, directly or through others (Tarjan's strongly connected components). */
export function cyclesIn(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  function connect(file: string): number {
    const number = order.size;
    order.set(file, number);
    low.set(file, number);
    stack.push(file);
    for (const to of targets.get(file) ?? []) {
      if (!order.has(to)) low.set(file, Math.min(low.get(file) as number, connect(to)));
      else if (stack.includes(to)) low.set(file, Math.min(low.get(file) as number, order.get(to) as number));
    }
    if (low.get(file) === number) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1 || targets.get(file)?.includes(file)) cycles.push(group.sort());
    }
    return low.get(file) as number;
  }

  for (const file of targets.keys()) if (!order.has(file)) connect(file);
  return cycles;
}

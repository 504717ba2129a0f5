// What the main process uses of Electron: `node scripts/lint/electron.ts` lists every use of a member that exists on some systems only and
// isn't guarded by the platform; it ends with 1 when there is one. `--list` prints the members, for reviews of Electron's updates.
import { join } from 'node:path';
import type { Identifier, Node, SourceFile } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isBlock,
  isConditionalExpression,
  isFunctionDeclaration,
  isIdentifier,
  isIfStatement,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isReturnStatement,
  isSourceFile,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Symbol as Declared, type Project, SymbolFlags } from 'typescript/unstable/sync';

export interface ElectronUse {
  /** All members that are used, such as `Tray.setImage`. */
  members: string[];
  /** Those that exist on some systems only, with these. */
  limited: Map<string, string[]>;
  /** Uses of those on other systems: `file:line member (systems)`. */
  unguarded: string[];
}

const SYSTEMS = ['darwin', 'linux', 'win32'];
/** Listening for what never happens does no harm, and tags of one event would count for all. */
const EVENT_METHODS = /^(on|once|off|addListener|removeListener|emit)$/;

/** Checks the program of a `tsconfig.json`. */
export function lintElectron(config: string): ElectronUse {
  const api = new API();
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`There is no project ${config}`);
    const { program } = project;
    const folder = join(config, '..');
    const files = program.getSourceFileNames().filter((name) => name.startsWith(`${folder}/`));
    const found: ElectronUse = { members: [], limited: new Map(), unguarded: [] };
    for (const name of files) {
      const file = program.getSourceFile(name);
      if (file) lintFile(file, name.slice(folder.length + 1), project, found);
    }
    found.members = [...new Set(found.members)].sort();
    return found;
  } finally {
    api.close();
  }
}

/** What an import stands for. */
const target = (symbol: Declared, checker: Checker) => (symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

/** With the name of its class or interface, which a type that was made of it doesn't know. */
function nameOf(symbol: Declared): string {
  const owner = symbol.declarations[0]?.resolve()?.parent as { name?: Node } | undefined;
  return owner?.name && isIdentifier(owner.name) && owner.name.text !== symbol.name ? `${owner.name.text}.${symbol.name}` : symbol.name;
}

/** The option that a name in an object stands for. */
function optionOf(name: Identifier, checker: Checker): Declared | undefined {
  const given = name.parent.parent;
  const type = isObjectLiteralExpression(given) ? checker.getContextualType(given) : undefined;
  return type && checker.getPropertyOfType(checker.getNonNullableType(type) ?? type, name.text);
}

function lintFile(file: SourceFile, name: string, { checker }: Project, found: ElectronUse) {
  const names: Identifier[] = [];
  const collect = (node: Node) => {
    if (isIdentifier(node)) names.push(node);
    node.forEachChild(collect);
  };
  collect(file);
  const symbols = checker.getSymbolAtLocation(names);
  names.forEach((node, index) => {
    const named = optionOf(node, checker) ?? symbols[index];
    const symbol = named && target(named, checker);
    if (!symbol || EVENT_METHODS.test(symbol.name)) return;
    const isElectrons = symbol.declarations.some(({ path }) => path.endsWith('/electron/electron.d.ts'));
    const systems = systemsOf(symbol, checker);
    const member = nameOf(symbol);
    if (isElectrons) found.members.push(member);
    if (systems.length === 0) return;
    if (isElectrons) found.limited.set(member, systems);
    if (isOption(node) || guards(node, checker).some((given) => given.every((system) => systems.includes(system)))) return;
    const line = file.text.slice(0, node.end).split('\n').length;
    found.unguarded.push(`${name}:${line} ${member} (${systems.join(', ')})`);
  });
}

/** Our own functions can say in the same way that they are for some systems only. */
function systemsOf(symbol: Declared, checker: Checker): string[] {
  return checker
    .getJsDocTagsOfSymbol(symbol)
    .filter((tag) => tag.name === 'platform')
    .flatMap(({ text = '' }) => text.split(/[\s,]+/))
    .filter((system) => SYSTEMS.includes(system));
}

/** A name in an object or a type: other systems ignore an option, and reading one that is missing gives undefined. */
function isOption(node: Node): boolean {
  return !isPropertyAccessExpression(node.parent) && !isCallee(node);
}

const isCallee = (node: Node) => node.parent && 'expression' in node.parent && (node.parent as { expression?: Node }).expression === node;

/** The systems that each condition around a node admits. */
function guards(node: Node, checker: Checker): string[][] {
  const found: string[][] = [];
  for (let inner = node, outer = node.parent; outer && !isSourceFile(outer); inner = outer, outer = outer.parent) {
    if (isIfStatement(outer) && inner !== outer.expression) found.push(where(outer.expression, inner === outer.thenStatement));
    else if (isConditionalExpression(outer) && inner !== outer.condition) found.push(where(outer.condition, inner === outer.whenTrue));
    else if (isBinaryExpression(outer) && inner === outer.right) found.push(besides(outer.left, textBetween(outer.left, outer.right)));
    else if (isBlock(outer)) found.push(...returnsBefore(outer.statements, inner));
    else if (isFunctionDeclaration(outer) && outer.name) {
      const symbol = checker.getSymbolAtLocation(outer.name);
      const systems = symbol ? systemsOf(symbol, checker) : [];
      if (systems.length > 0) found.push(systems);
    }
  }
  return found;
}

/** `if (platform !== 'darwin') return` admits macOS afterwards. */
function returnsBefore(statements: readonly Node[], inner: Node): string[][] {
  const before = statements.slice(0, statements.indexOf(inner)).filter(isIfStatement);
  return before.filter(({ thenStatement }) => returns(thenStatement)).map(({ expression }) => where(expression, false));
}

const returns = (node: Node): boolean => isReturnStatement(node) || (isBlock(node) && node.statements.some(isReturnStatement));

function besides(left: Node, between: string): string[] {
  if (between.includes('&&')) return where(left, true);
  return between.includes('||') ? where(left, false) : SYSTEMS;
}

/** The systems on which a condition can hold, or can not hold. */
function where(condition: Node, holds: boolean): string[] {
  const [all, each] = holds ? ['||', '&&'] : ['&&', '||'];
  const parts = textOf(condition).split(all as string);
  return [
    ...new Set(
      parts.flatMap((part) => SYSTEMS.filter((system) => part.split(each as string).every((term) => admits(term, system, holds)))),
    ),
  ];
}

function admits(term: string, system: string, holds: boolean): boolean {
  const [, sign, named] = /^[\s(]*(?:process\.)?platform (===|!==) '(\w+)'[\s)]*$/.exec(term) ?? [];
  return named === undefined || ((sign === '===') === (named === system)) === holds;
}

function fileOf(node: Node): SourceFile {
  let top = node;
  while (!isSourceFile(top)) top = top.parent;
  return top;
}

const textOf = (node: Node) => fileOf(node).text.slice(node.pos, node.end);
const textBetween = (left: Node, right: Node) => fileOf(left).text.slice(left.end, right.pos);

if (import.meta.main) {
  const { members, limited, unguarded } = lintElectron(join(import.meta.dirname, '../../main/tsconfig.json'));
  if (process.argv.includes('--list')) for (const member of members) console.log([member, ...(limited.get(member) ?? [])].join(' '));
  for (const line of unguarded) console.error(line);
  console.log(`Electron: ${members.length} members, ${limited.size} on some systems only, ${unguarded.length} unguarded.`);
  if (unguarded.length > 0) process.exit(1);
}

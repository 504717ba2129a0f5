// The part of the linter that Biome has no rule for: `node scripts/lint/imports.ts [root]` lists every import that points upward,
// leads from feature to feature, passes the doors of a folder or closes a cycle of files or folders, types included, and every file outside the database
// folder that names an engine; it ends with 1 when there is one.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOORS, MAY_IMPORT, placeOf } from './floors.ts';
import { cyclesIn, type Import, importsOf, sourceFiles } from './import-graph.ts';

export interface Findings {
  /** Imports of a floor above, of a neighbour on the same floor, or of a top-level folder that must not be imported. */
  upward: string[];
  /** Imports of one feature by another. */
  betweenFeatures: string[];
  /** Imports of a file that is behind the doors of its folder. */
  behindDoors: string[];
  /** Files that import each other, directly or through others. */
  cycles: string[];
  /** Folders of sources side by side, at any depth, that import each other, directly or through others. */
  circles: string[];
  /** Files that no floor names. */
  unplaced: string[];
  /** Files outside the database folder that name an engine, of which nothing else may know. */
  engines: string[];
}

/** Checks every import below `root`. */
export function lintImports(root: string): Findings {
  const folders = Object.keys(MAY_IMPORT).filter((folder) => existsSync(join(root, folder)));
  const files = sourceFiles(root, folders);
  const imports = importsOf(root, files);
  const name = ({ from, to }: Import) => `${from} → ${to}`;
  return {
    upward: imports.filter(pointsUp).map(name),
    betweenFeatures: imports.filter(joinsFeatures).map(name),
    behindDoors: imports.filter(passesDoors).map(name),
    cycles: cyclesIn(imports).map((group) => group.join(' ↔ ')),
    circles: cyclesIn(imports.flatMap(betweenFolders)).map((group) => group.join(' ↔ ')),
    unplaced: files.filter((file) => placeOf(file) === undefined),
    engines: files.filter((file) => mustNotNameEngines(file) && ENGINE.test(readFileSync(join(root, file), 'utf8'))),
  };
}

const ENGINE = /sqlite|postgres|'pg'/i;

const mustNotNameEngines = (file: string) => /^(server|api|renderer)\//.test(file) && !file.startsWith('server/platform/db/');

const topOf = (path: string) => path.split('/')[0] as string;

function pointsUp({ from, to }: Import): boolean {
  if (topOf(from) !== topOf(to)) return !MAY_IMPORT[topOf(from)]?.includes(topOf(to));
  const [own, other] = [placeOf(from), placeOf(to)];
  return own !== undefined && other !== undefined && own.room !== other.room && other.floor <= own.floor;
}

/** The two folders side by side that an import leads from and to; none if one of the files is directly beside the other's folder. */
function betweenFolders({ from, to }: Import): Import[] {
  const [own, other] = [from.split('/'), to.split('/')];
  const depth = own.findIndex((part, index) => part !== other[index]) + 1;
  if (own[0] === 'test' || depth >= own.length || depth >= other.length) return [];
  return [{ from: own.slice(0, depth).join('/'), to: other.slice(0, depth).join('/') }];
}

const FEATURE = /^(?:server|renderer)\/features\/[^/]+/;

function joinsFeatures({ from, to }: Import): boolean {
  const [own, other] = [FEATURE.exec(from)?.[0], FEATURE.exec(to)?.[0]];
  return own !== undefined && other !== undefined && own !== other;
}

function passesDoors({ from, to }: Import): boolean {
  return Object.entries(DOORS).some(([folder, doors]) => {
    const isInside = (path: string) => path.startsWith(`${folder}/`);
    return isInside(to) && !isInside(from) && topOf(from) !== 'test' && !doors.includes(to.slice(folder.length + 1));
  });
}

if (import.meta.main) {
  const findings = lintImports(process.argv[2] ?? join(import.meta.dirname, '../..'));
  for (const [kind, found] of Object.entries(findings)) for (const line of found) console.error(`${kind}: ${line}`);
  const { upward, betweenFeatures, cycles, circles } = findings;
  const found = `${upward.length} upward, ${betweenFeatures.length} between features, ${cycles.length + circles.length} cycles`;
  console.log(`Imports: ${found}.`);
  if (Object.values(findings).flat().length > 0) process.exit(1);
}

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FLOORS, MAY_IMPORT, placeOf } from './floors.ts';
import { cyclesIn, type Import, importsOf, sourceFiles } from './import-graph.ts';

const ROOT = join(import.meta.dirname, '../..');
const FEATURE = /^(server|renderer)\/features\/[^/]+/;

const files = sourceFiles(ROOT, Object.keys(MAY_IMPORT));
const imports = importsOf(ROOT, files);

/** Imports of a floor above, of a neighbour on the same floor, or of a top-level folder that must not be imported. */
function upward(edges: readonly Import[]): string[] {
  return edges.filter(({ from, to }) => reachesUp(from, to)).map(({ from, to }) => `${from} → ${to}`);
}

const topOf = (path: string) => path.split('/')[0] as string;

function reachesUp(from: string, to: string): boolean {
  if (topOf(from) !== topOf(to)) return !MAY_IMPORT[topOf(from)]?.includes(topOf(to));
  const [own, other] = [placeOf(from), placeOf(to)];
  if (!own || !other) return true;
  return own.room !== other.room && other.floor <= own.floor;
}

function betweenFeatures(edges: readonly Import[]): string[] {
  const apart = ({ from, to }: Import) => {
    const [one, other] = [FEATURE.exec(from)?.[0], FEATURE.exec(to)?.[0]];
    return one !== undefined && other !== undefined && one !== other;
  };
  return edges.filter(apart).map(({ from, to }) => `${from} → ${to}`);
}

describe('the imports of the project, types included', () => {
  it('are read from every source file, each of which has a floor', () => {
    expect(imports.length).toBeGreaterThan(files.length);
    expect(files.filter((file) => placeOf(file) === undefined)).toEqual([]);
    const rooms = Object.entries(FLOORS).flatMap(([top, floors]) => floors.flat().map((room) => `${top}/${room.replace(/[.*]$/, '')}`));
    expect(rooms.filter((room) => !files.some((file) => file.startsWith(room)))).toEqual([]);
  });

  it('never point upward, go from feature to feature, or run in a circle', () => {
    const [up, across, cycles] = [upward(imports), betweenFeatures(imports), cyclesIn(imports)];
    console.log(`upward: ${up.length}, between features: ${across.length}, cycles: ${cycles.length}`);
    expect({ up, across, cycles }).toEqual({ up: [], across: [], cycles: [] });
  });
});

describe('the check itself', () => {
  it('finds an import of a floor above', () => {
    expect(upward([{ from: 'server/platform/db/page.ts', to: 'server/core/images/images.ts' }])).toHaveLength(1);
    expect(upward([{ from: 'api/client.ts', to: 'cli/errors.ts' }])).toHaveLength(1);
    expect(upward([{ from: 'main/main.ts', to: 'cli/errors.ts' }])).toHaveLength(1);
    expect(upward([{ from: 'renderer/service/client.ts', to: 'renderer/shell/shell.tsx' }])).toHaveLength(1);
    expect(upward([{ from: 'server/core/images/images.ts', to: 'server/platform/db/page.ts' }])).toEqual([]);
  });

  it('finds a feature that imports another', () => {
    const edge = { from: 'server/features/upload/upload.ts', to: 'server/features/albums/albums.ts' };
    expect([upward([edge]).length, betweenFeatures([edge]).length]).toEqual([1, 1]);
  });

  it('finds a cycle, also a long one', () => {
    const ring = ['a', 'b', 'c', 'd'].map((from, index, all) => ({ from, to: all[(index + 1) % all.length] as string }));
    expect(cyclesIn([...ring, { from: 'x', to: 'a' }])).toEqual([['a', 'b', 'c', 'd']]);
    expect(cyclesIn(ring.slice(1))).toEqual([]);
  });
});

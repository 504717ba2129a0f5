import { describe, expect, it } from 'vitest';
import { instantiate } from '#server/platform/imaging/decoder/threads/heif-program.ts';
import { installTransforms } from '#server/platform/imaging/decoder/threads/inverse-dct.ts';
import type { Exported } from '#server/platform/imaging/decoder/threads/wasm.ts';

const SIDES = [4, 8, 16, 32] as const;
const PLACES = [1999, 2000, 2001, 2002] as const;

/** A generator of numbers from 0 to 1 that are the same in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Coefficients as in pictures, and the extremes. */
const KINDS: Record<string, (next: () => number, x: number, y: number) => number> = {
  'few and low': (next, x, y) => (x + y < 4 ? Math.round((next() - 0.5) * 800) : 0),
  'only the first': (next, x, y) => (x + y === 0 ? Math.round((next() - 0.5) * 4_000) : 0),
  'one in the last row and column': (_next, x, y) => (x > 2 && x === y ? 77 : 0),
  scattered: (next) => (next() < 0.1 ? Math.round((next() - 0.5) * 2_000) : 0),
  all: (next) => Math.round((next() - 0.5) * 65_535),
  'the largest': () => 32_767,
  'the smallest': () => -32_768,
  'from one extreme to the other': (_next, x, y) => ((x + y) % 2 === 0 ? 32_767 : -32_768),
  none: () => 0,
};

describe('the inverse transforms with SIMD', () => {
  it('replace those of this version of libheif', () => {
    const host = instantiate();
    const own = PLACES.map((place) => host.table.get(place));
    expect(installTransforms(host)).toBe(true);
    for (const [index, place] of PLACES.entries()) expect(host.table.get(place)).not.toBe(own[index]);
  });

  it('replace nothing in another version, or where libheif has other functions', () => {
    const host = instantiate();
    expect(installTransforms({ ...host, libheif: { ...host.libheif, heif_get_version: () => '1.24.0' } })).toBe(false);
    const own = host.table.get(2000) as Exported;
    host.table.set(2000, host.table.get(2001) as Exported);
    expect(installTransforms(host)).toBe(false);
    expect(host.table.get(2000)).not.toBe(own);
  });

  it.each(Object.entries(KINDS))('give the same results as libheif’s own: %s', (name, coefficient) => {
    const host = instantiate();
    const own = PLACES.map((place) => host.table.get(place) as Exported);
    installTransforms(host);
    const at = host.libheif._malloc(64 * 64 * 4);
    const next = random(7);
    const changes = new Set<number>();
    for (const [index, side] of SIDES.entries()) {
      for (let round = 0; round < 20; round++) {
        // Rows of the picture are longer than the block's.
        const stride = side + 24;
        const before = Uint8Array.from({ length: stride * side }, () => next() * 256);
        const coefficients = Int16Array.from({ length: side * side }, (_, i) => coefficient(next, i % side, Math.floor(i / side)));
        const results = [own[index], host.table.get(PLACES[index] as number)].map((transform) => {
          new Uint8Array(host.memory.buffer, at, before.length).set(before);
          new Int16Array(host.memory.buffer, at + 8_192, coefficients.length).set(coefficients);
          transform?.(at, at + 8_192, stride);
          return Buffer.from(new Uint8Array(host.memory.buffer, at, before.length));
        });
        expect(results[1]?.equals(results[0] as Buffer), `${side} × ${side}`).toBe(true);
        if (!results[1]?.equals(before)) changes.add(side);
      }
    }
    expect([...changes]).toEqual(name === 'none' ? [] : SIDES);
  });
});

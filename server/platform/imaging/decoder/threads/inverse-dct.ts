import type { LibHeif } from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { TRANSFORMS } from './inverse-dct-program.ts';
import { type Exported, type Memory, type Table, wasm } from './wasm.ts';

/** What libheif gives its extension. */
interface Host {
  readonly libheif: Pick<LibHeif, '_malloc' | '_free' | 'heif_get_version'>;
  readonly memory: Memory;
  readonly table: Table;
}

/** The version of libheif-js for which the places below were found. */
const VERSION = '1.23.2';

/**
 * The sizes of blocks, and where libheif-js keeps the functions that transform them, add them to the picture and clip the sums: libde265 calls
 * these through pointers, so that processors with special instructions can have functions of their own.
 */
const PLACES = [4, 8, 16, 32].map((side, index) => ({ side, name: `add${side}`, place: 1999 + index }));

/** The extension's matrix, its tables and its stack, each at a multiple of 16. */
const TABLES_AT = 1_024;
const STACK_AT = 16_384;
const SPACE = STACK_AT + 16;

/** A block's coefficients, and in front of them its pixels, one row after the other. */
const BLOCK_BYTES = 32 * 32 * 3;

/**
 * Replaces libde265's inverse transforms for 8 bits, which take more than half of its time, with ones that use SIMD and give the same results.
 * Nothing is replaced where the processor lacks these instructions, or if a trial shows that libheif's functions are others.
 * @returns whether they have been replaced
 */
export function installTransforms(host: Host): boolean {
  if (host.libheif.heif_get_version() !== VERSION || !wasm.validate(TRANSFORMS)) return false;
  const fast = instantiate(host);
  const own = PLACES.map(({ place }) => host.table.get(place));
  if (!PLACES.every(({ side, name }, index) => agree(host, side, own[index], fast[name]))) return false;
  for (const { name, place } of PLACES) host.table.set(place, fast[name] as Exported);
  return true;
}

function instantiate({ libheif, memory, table }: Host): Readonly<Record<string, Exported>> {
  const base = aligned(libheif._malloc(SPACE + 16));
  const { exports } = new wasm.Instance(new wasm.Module(TRANSFORMS), {
    env: {
      memory,
      __memory_base: base,
      __stack_pointer: new wasm.Global({ value: 'i32', mutable: true }, base + STACK_AT),
      __indirect_function_table: table,
      __table_base: 0,
    },
  });
  const functions = exports as Readonly<Record<string, Exported>>;
  functions.prepare?.(base + TABLES_AT);
  return functions;
}

const aligned = (address: number) => Math.ceil(address / 16) * 16;

/** Transforms one block with both functions. */
function agree({ libheif, memory }: Host, side: number, own: Exported | null | undefined, fast: Exported | undefined): boolean {
  if (!own || !fast || own.length !== fast.length) return false;
  const block = libheif._malloc(BLOCK_BYTES + 16);
  const [pixelsAt, coefficientsAt] = [aligned(block), aligned(block) + 32 * 32];
  const results = [own, fast].map((transform) => {
    const pixels = new Uint8Array(memory.buffer, pixelsAt, side * side).fill(128);
    const coefficients = new Int16Array(memory.buffer, coefficientsAt, side * side);
    for (let at = 0; at < coefficients.length; at++) coefficients[at] = ((at * 7_919) % 509) - 254;
    transform(pixelsAt, coefficientsAt, side);
    return Buffer.from(pixels);
  });
  libheif._free(block);
  return results[0]?.equals(results[1] ?? Buffer.alloc(0)) ?? false;
}

import { readFileSync } from 'node:fs';
import loadLibheif, { type LibHeif } from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { installTransforms } from './inverse-dct.ts';
import { type Memory, programUrl, type Table, wasm } from './wasm.ts';

/** libheif, loaded for one picture. */
export interface HeifProgram {
  readonly libheif: LibHeif;
  readonly memory: Memory;
  /** Whether it wanted more memory than it may take. libheif then aborts without a reason. */
  wasRefused(): boolean;
}

/**
 * Loads libheif into this thread, with faster inverse transforms (decision 156).
 * @param maxPages of 64 KiB: the memory that it may take
 * @param compiled by another thread, so that V8 doesn't compile and optimise it again
 */
export function loadHeifProgram(maxPages: number, compiled?: object): HeifProgram {
  const state = capMemory(maxPages);
  const { module, ...host } = instantiate(compiled);
  installTransforms(host);
  lastCompiled = module;
  return { libheif: host.libheif, memory: host.memory, wasRefused: () => state.refused };
}

let lastCompiled: object | undefined;

/** libheif as this thread has used it, for other threads; undefined: it hasn't. */
export const compiledHeif = (): object | undefined => lastCompiled;

/** libheif as it comes, with what it keeps to itself. */
export function instantiate(compiled?: object): { libheif: LibHeif; module: object | undefined; memory: Memory; table: Table } {
  let module = compiled;
  let exports: unknown[] = [];
  const libheif = loadLibheif({
    instantiateWasm(imports, receive) {
      module ??= new wasm.Module(readFileSync(programUrl('libheif')));
      const instance = new wasm.Instance(module, imports);
      exports = Object.values(instance.exports);
      receive(instance);
      return instance.exports;
    },
  });
  const memory = exports.find((value) => value instanceof wasm.Memory) as Memory;
  const table = exports.find((value) => value instanceof wasm.Table) as Table;
  return { libheif, module, memory, table };
}

/**
 * A false size in the header shows only when the picture is decompressed, so WebAssembly's memory is capped in this
 * thread: the allocation fails inside libheif and affects nothing else in the process.
 */
function capMemory(maxPages: number): { refused: boolean } {
  const { grow } = wasm.Memory.prototype;
  const state = { refused: false };
  wasm.Memory.prototype.grow = function (this: Memory, pages: number): number {
    try {
      if (this.buffer.byteLength / 65_536 + pages > maxPages) throw new RangeError('The decoder has reached its memory limit.');
      return grow.call(this, pages);
    } catch (error) {
      state.refused = true;
      throw error;
    }
  };
  return state;
}

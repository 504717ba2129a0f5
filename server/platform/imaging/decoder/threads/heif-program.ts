import { readFileSync } from 'node:fs';
import loadLibheif, { type LibHeif } from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { DamagedImageError, ImageTooLargeError } from '../../errors.ts';
import { refuseDamage } from './heif-damage.ts';
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
 * Loads libheif into this thread, with faster inverse transforms, and such that it refuses what is damaged (decision 156).
 * @param maxPages of 64 KiB: the memory that it may take
 * @param compiled by another thread, so that V8 doesn't compile and optimise it again
 */
export function loadHeifProgram(maxPages: number, compiled?: object): HeifProgram {
  const state = capMemory(maxPages);
  const { module, ...host } = instantiate(compiled);
  installTransforms(host);
  refuseDamage(host);
  lastCompiled = module;
  return { libheif: host.libheif, memory: host.memory, wasRefused: () => state.refused };
}

/** The primary picture of a file that libheif has opened. */
export interface HeifPicture {
  /** libheif's address of it. */
  readonly handle: number;
  readonly hasAlpha: boolean;
  /** The address of libheif's options: nothing that is missing or damaged is left out. */
  readonly options: number;
  /**
   * Calls a function of libheif's C interface.
   * @param call gets the addresses of its error, and of what it returns
   * @returns what it returns: an address
   * @throws DamagedImageError, ImageTooLargeError
   */
  take(call: (error: number, output: number) => void): number;
  /** A plane of a decoded image, as it is until libheif is called again. */
  planeOf(image: number, channel: number): Plane;
}

interface Plane {
  readonly width: number;
  readonly height: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  readonly bytes: Uint8Array;
}

/** Three numbers of libheif's errors, then what its functions write. */
const RESULT_BYTES = 16;
const OUTPUT_AT = 12;
/** In libheif's options. */
const STRICT_AT = 21;

/** @throws DamagedImageError, ImageTooLargeError */
export function openPicture({ libheif, memory }: HeifProgram, source: Uint8Array): HeifPicture {
  const result = libheif._malloc(RESULT_BYTES);
  const output = result + OUTPUT_AT;
  const numberAt = (address: number) => new DataView(memory.buffer).getUint32(address, true);
  const take: HeifPicture['take'] = (call) => {
    call(result, output);
    const code = numberAt(result);
    if (code === libheif.heif_error_code.heif_error_Memory_allocation_error.value) throw tooMuchMemory();
    if (code !== 0) throw new DamagedImageError(undefined, { cause: new Error(`libheif: ${code}, ${numberAt(result + 4)}`) });
    return numberAt(output);
  };
  const file = libheif._malloc(source.length);
  new Uint8Array(memory.buffer).set(source, file);
  const context = libheif._heif_context_alloc();
  take((error) => libheif._heif_context_read_from_memory_without_copy(error, context, file, source.length, 0));
  const handle = take((error, at) => libheif._heif_context_get_primary_image_handle(error, context, at));
  const options = libheif._heif_decoding_options_alloc();
  new Uint8Array(memory.buffer)[options + STRICT_AT] = 1;
  return {
    handle,
    hasAlpha: Boolean(libheif._heif_image_handle_has_alpha_channel(handle)),
    options,
    take,
    planeOf(image, channel) {
      const at = libheif._heif_image_get_plane_readonly2(image, channel, output);
      if (!at) throw new DamagedImageError();
      const stride = numberAt(output);
      const [width, height] = [libheif._heif_image_get_width(image, channel), libheif._heif_image_get_height(image, channel)];
      return { width, height, stride, bytes: new Uint8Array(memory.buffer, at, stride * height) };
    },
  };
}

export const tooMuchMemory = (cause?: unknown): ImageTooLargeError =>
  new ImageTooLargeError('The picture takes too much memory to decode. Make it smaller and try again.', { cause });

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

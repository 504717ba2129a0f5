import { readFileSync } from 'node:fs';
import loadLibheif, { type LibHeif } from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { DamagedImageError, ImageTooLargeError } from '../../errors.ts';
import { installTransforms } from './inverse-dct.ts';
import { type Exported, type Memory, programUrl, type Table, wasm } from './wasm.ts';

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

// libheif shows what it can of a damaged picture: noise, green where nothing was decoded, black where a tile is missing. Its users can't ask libde265, which
// decodes HEVC, whether it found damage, so libheif's own calls of it are replaced (decision 156).

interface Host {
  readonly libheif: LibHeif;
  readonly memory: Memory;
  readonly table: Table;
}

/** libheif's number of the format. */
const HEVC = 1;
/** What libheif gives the places of its decoders in. */
const SPACE = 16;

/** Of libheif's description of libde265 (`heif_decoder_plugin`), in numbers of four bytes: its version, and the function that decodes the next picture. */
const VERSION_AT = 0;
const DECODE_AT = 17;
const VERSION = 5;

/** libde265's parameter: pictures with damage aren't given to libheif, which reports that there is none. */
const SUPPRESS_FAULTY_PICTURES = 6;

/** Pixels of a side of the smallest block that is decoded as one. */
const BLOCK = 16;
/** Cr, Cb and Y. Black has zeros in the last one only. */
const CHANNELS = [2, 1, 0] as const;

/** A function of five numbers that calls the imported one: only those of WebAssembly can be in its table. */
const CALL = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 9, 1, 0x60, 5, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0],
  ...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0],
  ...[7, 5, 1, 1, 0x66, 0, 0],
);

/**
 * Has libheif report damage that libde265 finds, and blocks that weren't decoded.
 * @throws Error when it is another libheif than the one that this was made for
 */
function refuseDamage({ libheif, memory, table }: Host): void {
  const numberAt = (address: number) => new DataView(memory.buffer).getUint32(address, true);
  const space = libheif._malloc(SPACE);
  const plugin = libheif._heif_get_decoder_descriptors(HEVC, space, 1) === 1 ? numberAt(space) : undefined;
  const place = plugin === undefined ? undefined : numberAt(plugin + 4 * DECODE_AT);
  const decode = place === undefined ? undefined : table.get(place);
  if (plugin === undefined || place === undefined || numberAt(plugin + 4 * VERSION_AT) !== VERSION || decode?.length !== 5)
    throw new Error('libheif has changed: find out how it calls libde265.');

  const decodeSound: Exported = (result = 0, decoder = 0, imageAt = 0, dataAt = 0, limits = 0) => {
    libheif._de265_set_parameter_bool(numberAt(decoder), SUPPRESS_FAULTY_PICTURES, 1);
    decode(result, decoder, imageAt, dataAt, limits);
    const image = numberAt(imageAt);
    if (image === 0 || !hasEmptyBlock(image)) return;
    libheif._heif_image_release(image);
    new DataView(memory.buffer).setUint32(imageAt, 0, true);
  };

  /** Whether a block is all zeros, as libde265 leaves it: a green that pictures don't have. Where colours have all pixels, it may be black. */
  function hasEmptyBlock(image: number): boolean {
    const planes = CHANNELS.map((channel) => ({
      at: libheif._heif_image_get_plane_readonly2(image, channel, space),
      stride: numberAt(space),
      bytes: libheif._heif_image_get_bits_per_pixel_range(image, channel) > 8 ? 2 : 1,
      width: libheif._heif_image_get_width(image, channel),
      height: libheif._heif_image_get_height(image, channel),
    }));
    const [chroma, , luma] = planes;
    if (!luma || !chroma?.at || chroma.width === luma.width) return false;
    const all = new Uint8Array(memory.buffer);
    const isEmpty = (x: number, y: number) =>
      planes.every(({ at, stride, bytes, width, height }) => {
        const [across, down] = [width / luma.width, height / luma.height];
        const [from, to] = [Math.floor(x * across), Math.min(width, Math.ceil((x + BLOCK) * across))];
        const bottom = Math.min(height, Math.ceil((y + BLOCK) * down));
        for (let row = Math.floor(y * down); row < bottom; row++)
          for (let i = at + row * stride + from * bytes, end = i + (to - from) * bytes; i < end; i++) if (all[i] !== 0) return false;
        return true;
      });
    for (let y = 0; y < luma.height; y += BLOCK) for (let x = 0; x < luma.width; x += BLOCK) if (isEmpty(x, y)) return true;
    return false;
  }

  const { exports } = new wasm.Instance(new wasm.Module(CALL), { e: { f: decodeSound } });
  table.set(place, exports.f as Exported);
}

import type { LibHeif } from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { type Exported, type Memory, type Table, wasm } from './wasm.ts';

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
export function refuseDamage({ libheif, memory, table }: Host): void {
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

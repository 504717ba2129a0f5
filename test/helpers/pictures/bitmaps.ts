/** The variant of a BMP; the picture always has the same four colours in the four quarters of 6 × 4 pixels. */
export interface BitmapOptions {
  readonly bits: 1 | 4 | 8 | 16 | 24 | 32;
  readonly topDown?: boolean;
  /** Run-length coding, for 4 and 8 bits. */
  readonly runs?: boolean;
  /** Red, green, blue, alpha, for 16 and 32 bits. */
  readonly masks?: readonly [number, number, number, number];
  /** The header of OS/2 1.x, with palette entries of three bytes. */
  readonly core?: boolean;
  readonly alpha?: number;
}

export const BITMAP_WIDTH = 6;
export const BITMAP_HEIGHT = 4;

/** Red, green, blue and white: exact in every depth except one bit. */
export const BITMAP_COLOURS: readonly (readonly [number, number, number])[] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
];

/** The index of the colour at a position: 0 and 1 above, 2 and 3 below. */
export function bitmapIndex(x: number, y: number): number {
  return (y < BITMAP_HEIGHT / 2 ? 0 : 2) + (x < BITMAP_WIDTH / 2 ? 0 : 1);
}

/** Writes a BMP by hand, to cover every variant. */
export function bitmap(options: BitmapOptions): Buffer {
  const { bits, topDown = false, core = false, masks } = options;
  const rows = Array.from({ length: BITMAP_HEIGHT }, (_, i) => (topDown ? i : BITMAP_HEIGHT - 1 - i));
  const pixels = Buffer.concat(options.runs ? [...rows.map((y) => runs(y, bits)), Buffer.from([0, 1])] : rows.map((y) => row(y, options)));
  const palette =
    bits > 8 ? Buffer.alloc(0) : Buffer.concat(paletteOf(bits).map(([r, g, b]) => Buffer.from(core ? [b, g, r] : [b, g, r, 0])));
  const info = core ? coreHeader(bits) : infoHeader(options, bits > 8 ? 0 : 2 ** bits);
  const fields = masks ? Buffer.concat(masks.map(uint32)) : Buffer.alloc(0);
  if (masks) info.writeUInt32LE(56, 0);
  const offset = 14 + info.length + fields.length + palette.length;
  const file = Buffer.alloc(14);
  file.write('BM', 'latin1');
  file.writeUInt32LE(offset + pixels.length, 2);
  file.writeUInt32LE(offset, 10);
  return Buffer.concat([file, info, fields, palette, pixels]);
}

function paletteOf(bits: number): (readonly [number, number, number])[] {
  return Array.from({ length: 2 ** bits }, (_, i) => BITMAP_COLOURS[i] ?? [9, 9, 9]);
}

function coreHeader(bits: number): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt32LE(12, 0);
  header.writeUInt16LE(BITMAP_WIDTH, 4);
  header.writeUInt16LE(BITMAP_HEIGHT, 6);
  header.writeUInt16LE(1, 8);
  header.writeUInt16LE(bits, 10);
  return header;
}

function infoHeader({ bits, topDown, runs: isRuns, masks }: BitmapOptions, colours: number): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(BITMAP_WIDTH, 4);
  header.writeInt32LE(topDown ? -BITMAP_HEIGHT : BITMAP_HEIGHT, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(bits, 14);
  header.writeUInt32LE(masks ? 3 : isRuns ? (bits === 8 ? 1 : 2) : 0, 16);
  header.writeUInt32LE(colours, 32);
  return header;
}

function row(y: number, { bits, masks, alpha = 255 }: BitmapOptions): Buffer {
  const used = Math.ceil((BITMAP_WIDTH * bits) / 8);
  const bytes = Buffer.alloc(Math.ceil(used / 4) * 4);
  for (let x = 0; x < BITMAP_WIDTH; x++) {
    const index = bitmapIndex(x, y);
    const [r, g, b] = BITMAP_COLOURS[index] ?? [0, 0, 0];
    if (bits <= 8) {
      const at = Math.floor((x * bits) / 8);
      const value = bits === 1 ? index % 2 : index;
      bytes[at] = (bytes[at] ?? 0) | (value << (8 - bits - ((x * bits) % 8)));
    } else if (bits === 24) bytes.set([b, g, r], x * 3);
    else writeMasked(bytes, x, bits, [r, g, b, alpha], masks ?? (bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0]));
  }
  return bytes;
}

function writeMasked(bytes: Buffer, x: number, bits: number, values: readonly number[], masks: readonly number[]): void {
  const pixel = masks.reduce((sum, mask, i) => {
    if (mask === 0) return sum;
    const shift = 2 ** (31 - Math.clz32(mask & -mask));
    return sum + Math.round(((values[i] ?? 0) * (mask / shift)) / 255) * shift;
  }, 0);
  if (bits === 16) bytes.writeUInt16LE(pixel, x * 2);
  else bytes.writeUInt32LE(pixel, x * 4);
}

/** The left half as a run, the right half as three literal pixels, then the end of the line. */
function runs(y: number, bits: number): Buffer {
  const [left, right] = [bitmapIndex(0, y), bitmapIndex(BITMAP_WIDTH - 1, y)];
  if (bits === 8) return Buffer.from([3, left, 0, 3, right, right, right, 0, 0, 0]);
  return Buffer.from([3, left * 17, 0, 3, right * 17, right * 17, 0, 0]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

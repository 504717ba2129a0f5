/** Decoded pixels, with what sharp needs for correct colours and orientation. */
export interface PixelsHeader {
  readonly width: number;
  readonly height: number;
  /** 3: red, green, blue; 4: with straight alpha. */
  readonly channels: 3 | 4;
  /** Bits of each; 8 by default. Of two bytes, the lower one comes first. */
  readonly depth?: 8 | 16;
  /** EXIF orientation still to be applied. */
  readonly orientation?: number;
  readonly icc?: Uint8Array;
}

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;

/** libvips holds a strip in memory at a time. */
const STRIP_BYTES = 1024 * 1024;

/**
 * An uncompressed TIFF 6.0 with room for the pixels, which the decoder writes to `pixels`, row by row without padding.
 * sharp reads it at no cost, and unlike raw pixels it carries a colour profile.
 */
export function allocateTiff(header: PixelsHeader): { tiff: Uint8Array<ArrayBuffer>; pixels: Uint8Array<ArrayBuffer> } {
  const { width, height, channels, depth = 8, icc } = header;
  const rowBytes = (width * channels * depth) / 8;
  const rowsPerStrip = Math.max(1, Math.floor(STRIP_BYTES / rowBytes));
  const strips = Math.ceil(height / rowsPerStrip);
  const bytesOf = (strip: number) => Math.min(rowsPerStrip, height - strip * rowsPerStrip) * rowBytes;
  const entries = entriesOf(header, rowsPerStrip, strips);
  const valuesAt = 8 + 2 + entries.length * 12 + 4;
  const pixelsAt = entries.reduce((at, entry) => at + (byteLength(entry) > 4 ? even(byteLength(entry)) : 0), valuesAt);
  const tiff = new Uint8Array(pixelsAt + rowBytes * height);
  for (let strip = 0; strip < strips; strip++) {
    entryOf(entries, 273).values[strip] = pixelsAt + strip * rowsPerStrip * rowBytes;
    entryOf(entries, 279).values[strip] = bytesOf(strip);
  }
  writeEntries(new DataView(tiff.buffer), entries, valuesAt);
  if (icc) tiff.set(icc, pixelsAt - even(icc.length));
  return { tiff, pixels: tiff.subarray(pixelsAt) };
}

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Numbers. The bytes of the profile are written separately. */
  readonly values: number[];
}

/** In ascending order of tags, as TIFF requires; the profile is last, so that its bytes precede the pixels. */
function entriesOf(
  { width, height, channels, depth = 8, orientation = 1, icc }: PixelsHeader,
  rowsPerStrip: number,
  strips: number,
): Entry[] {
  const numbers = (tag: number, type: number, ...values: number[]): Entry => ({ tag, type, count: values.length, values });
  const list = (tag: number): Entry => ({ tag, type: LONG, count: strips, values: new Array<number>(strips).fill(0) });
  return [
    numbers(256, LONG, width),
    numbers(257, LONG, height),
    numbers(258, SHORT, ...new Array<number>(channels).fill(depth)),
    numbers(259, SHORT, 1),
    numbers(262, SHORT, 2),
    list(273),
    numbers(274, SHORT, orientation),
    numbers(277, SHORT, channels),
    numbers(278, LONG, rowsPerStrip),
    list(279),
    numbers(284, SHORT, 1),
    ...(channels === 4 ? [numbers(338, SHORT, 2)] : []),
    ...(icc ? [{ tag: 34675, type: UNDEFINED, count: icc.length, values: [] }] : []),
  ];
}

function entryOf(entries: readonly Entry[], tag: number): Entry {
  const entry = entries.find((candidate) => candidate.tag === tag);
  if (!entry) throw new RangeError(`There is no entry ${tag}.`);
  return entry;
}

function byteLength({ type, count }: Entry): number {
  return count * (type === SHORT ? 2 : type === LONG ? 4 : 1);
}

function even(length: number): number {
  return length + (length % 2);
}

function writeEntries(view: DataView, entries: readonly Entry[], valuesAt: number): void {
  view.setUint32(0, 0x49492a00);
  view.setUint32(4, 8, true);
  view.setUint16(8, entries.length, true);
  let free = valuesAt;
  entries.forEach((entry, index) => {
    const at = 10 + index * 12;
    const length = byteLength(entry);
    view.setUint16(at, entry.tag, true);
    view.setUint16(at + 2, entry.type, true);
    view.setUint32(at + 4, entry.count, true);
    if (length > 4) view.setUint32(at + 8, free, true);
    writeValues(view, length > 4 ? free : at + 8, entry);
    if (length > 4) free += even(length);
  });
}

function writeValues(view: DataView, at: number, { type, values }: Entry): void {
  values.forEach((value, index) => {
    if (type === SHORT) view.setUint16(at + index * 2, value, true);
    else view.setUint32(at + index * 4, value, true);
  });
}

/** Tags that tests write. */
export const TAG = {
  orientation: 0x0112,
  changed: 0x0132,
  taken: 0x9003,
  digitized: 0x9004,
  offset: 0x9010,
  offsetTaken: 0x9011,
  offsetDigitized: 0x9012,
} as const;

const [BYTE, ASCII, SHORT, LONG] = [1, 2, 3, 4];
const EXIF_IFD = 0x8769;

/** One entry of a directory: a tag with a text or a short number, or a type, a count and what is in the place of the value. */
export type ExifEntry = readonly [tag: number, value: string | number] | readonly [tag: number, type: number, count: number, value: number];

/** A TIFF structure as in EXIF, with exactly these entries, in this order. */
export function exifOf(main: readonly ExifEntry[], camera: readonly ExifEntry[] = []): Buffer {
  const pointer: ExifEntry[] = camera.length > 0 ? [[EXIF_IFD, LONG, 1, 8 + sizeOf([...main, [0, 0]])]] : [];
  const first = directory(8, [...main, ...pointer]);
  const second = camera.length > 0 ? directory(8 + first.length, camera) : Buffer.alloc(0);
  return Buffer.concat([Buffer.from('MM\0*\0\0\0\x08', 'latin1'), first, second]);
}

function sizeOf(entries: readonly ExifEntry[]): number {
  return directory(0, entries).length;
}

function directory(at: number, entries: readonly ExifEntry[]): Buffer {
  const table = Buffer.alloc(2 + 12 * entries.length + 4);
  table.writeUInt16BE(entries.length);
  const texts: Buffer[] = [];
  let end = at + table.length;
  for (const [i, entry] of entries.entries()) {
    const [tag, type, count, value] = plain(entry);
    table.writeUInt16BE(tag, 2 + 12 * i);
    table.writeUInt16BE(type, 4 + 12 * i);
    table.writeUInt32BE(count, 6 + 12 * i);
    if (typeof value === 'string') {
      const text = Buffer.from(`${value}\0`);
      table.writeUInt32BE(end, 10 + 12 * i);
      if (text.length <= 4) text.copy(table.fill(0, 10 + 12 * i, 14 + 12 * i), 10 + 12 * i);
      else {
        texts.push(text);
        end += text.length;
      }
    } else if (type === BYTE) table.writeUInt8(value, 10 + 12 * i);
    else if (type === SHORT) table.writeUInt16BE(value, 10 + 12 * i);
    else table.writeUInt32BE(value, 10 + 12 * i);
  }
  return Buffer.concat([table, ...texts]);
}

function plain(entry: ExifEntry): [number, number, number, string | number] {
  if (entry.length === 4) return [...entry];
  const [tag, value] = entry;
  return typeof value === 'string' ? [tag, ASCII, Buffer.byteLength(value) + 1, value] : [tag, SHORT, 1, value];
}

import type { ByteRange, ImageBytes } from '../bytes.ts';
import type { Patch } from './avif-patches.ts';

/** Types of the units of AV1 (AV1 Bitstream & Decoding Process Specification §6.2.2) that make pixels: sequence, frames and tiles. */
const PIXELS = new Set([1, 3, 4, 6, 7]);
const METADATA = 5;
/** Metadata that describe light and layers, and the most bytes that they take. */
const DESCRIBING = new Set([1, 2, 3]);
const MAX_DESCRIPTION = 64;
/** Numbers have at most as many bytes, of seven bits each, the lowest first. */
const MAX_NUMBER_BYTES = 8;
const MAX_UNITS = 1_000;
/** The bit that ends the content of a unit, without which decoders take it for damaged; of metadata, behind a kind that is reserved. */
const EMPTY = Buffer.of(0x80);
const EMPTY_METADATA = Buffer.of(0, 0x80);

/** Overwrites padding, metadata and reserved units in the coded data of one picture. Nothing moves. */
export async function obuPatches(file: ImageBytes, { from, to }: ByteRange): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (let [at, units] = [from, 0]; at < to && units < MAX_UNITS; units++) {
    const unit = await readUnit(file, at, to);
    if (!unit) return patches;
    const { type, body, end } = unit;
    const bytes = type === METADATA ? EMPTY_METADATA : EMPTY;
    const isNeeded = PIXELS.has(type) || (type === METADATA && (await describes(file, body, end)));
    if (!isNeeded && end - body >= bytes.length) patches.push({ from: body, to: end, bytes });
    at = end;
  }
  return patches;
}

/** Undefined where it isn't sound, which is for decoders to judge. */
async function readUnit(file: ImageBytes, at: number, limit: number) {
  const head = await file.at(at, Math.min(2 + MAX_NUMBER_BYTES, limit - at));
  const first = head.readUInt8();
  const start = 1 + ((first >> 2) & 1);
  const hasSize = ((first >> 1) & 1) === 1;
  const size = hasSize ? readNumber(head, start) : { value: limit - at - start, end: start };
  if (!size) return undefined;
  const end = at + size.end + size.value;
  return end > limit ? undefined : { type: (first >> 3) & 15, body: at + size.end, end };
}

function readNumber(bytes: Buffer, from: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let i = 0; i < MAX_NUMBER_BYTES && from + i < bytes.length; i++) {
    const byte = bytes.readUInt8(from + i);
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: from + i + 1 };
  }
  return undefined;
}

async function describes(file: ImageBytes, from: number, to: number): Promise<boolean> {
  return to - from <= MAX_DESCRIPTION && DESCRIBING.has((await file.at(from, 1)).readUInt8());
}

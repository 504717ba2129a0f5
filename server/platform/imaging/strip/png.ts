import { crc32 } from 'node:zlib';
import type { ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import { orientationOnlyExif, readExif } from '../exif.ts';
import { PlanBuilder, type StripPlan } from './plan.ts';

const SIGNATURE_LENGTH = 8;
/** Length, type and checksum around the data of a chunk. */
const FRAME = 12;

/** Chunks that determine pixels, colours, size and animation (PNG, third edition); all others are removed. */
const KEPT = new Set('IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(' '));

/**
 * Walks the chunks of a PNG or APNG up to IEND and verifies the checksums of those that stay. Removes texts, time, EXIF,
 * unknown chunks and everything after the picture; writes an orientation from EXIF back.
 */
export async function planPng(file: ImageBytes): Promise<StripPlan> {
  const plan = new PlanBuilder();
  plan.keep(0, SIGNATURE_LENGTH);
  const seen = new Set<string>();
  let at = SIGNATURE_LENGTH;
  while (!seen.has('IEND')) {
    const head = await file.at(at, 8);
    const length = head.readUInt32BE();
    const type = head.toString('latin1', 4);
    const end = at + FRAME + length;
    if (end > file.size || (at === SIGNATURE_LENGTH) !== (type === 'IHDR')) throw new DamagedImageError();
    if (KEPT.has(type)) {
      await verifyChecksum(file, at, end);
      plan.keep(at, end);
    } else if (isCritical(type)) throw new DamagedImageError();
    else if (type === 'eXIf' && !plan.exif) await replaceExif(file, plan, at, end);
    seen.add(type);
    at = end;
  }
  if (!seen.has('IDAT')) throw new DamagedImageError();
  return plan.finish();
}

/** An upper-case first letter: a decoder that doesn't know the chunk must reject the file. */
function isCritical(type: string): boolean {
  return /^[^a-z]/.test(type);
}

async function verifyChecksum(file: ImageBytes, at: number, end: number): Promise<void> {
  let sum = 0;
  for (let from = at + 4; from < end - 4; ) {
    const view = await file.some(from);
    const part = view.subarray(0, end - 4 - from);
    sum = crc32(part, sum);
    from += part.length;
  }
  if (sum !== (await file.at(end - 4, 4)).readUInt32BE()) throw new DamagedImageError();
}

async function replaceExif(file: ImageBytes, plan: PlanBuilder, at: number, end: number): Promise<void> {
  plan.exif = { from: at + 8, to: end - 4 };
  const { orientation } = await readExif(file, plan.exif);
  if (orientation === 1) return;
  const data = orientationOnlyExif(orientation);
  const chunk = Buffer.alloc(FRAME + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write('eXIf', 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  plan.insert(chunk);
}

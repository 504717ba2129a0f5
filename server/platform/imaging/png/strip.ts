import { promisify } from 'node:util';
import { constants, crc32, deflate, inflateRaw } from 'node:zlib';
import type { ImageBytes } from '../bytes.ts';
import { MAX_ICC_BYTES, reduceProfile } from '../colour/icc/reduce.ts';
import { DamagedImageError } from '../errors.ts';
import { keptExif, readExif } from '../metadata/exif.ts';
import { type KeptRights, type Piece, PlanBuilder, type StripPlan } from '../metadata/plan.ts';
import type { Rights } from '../metadata/rights.ts';
import { XMP_KEYWORD, xmpPacket } from '../metadata/xmp.ts';
import { PngTexts } from './texts.ts';

const SIGNATURE_LENGTH = 8;
const deflated = promisify(deflate);
const inflated = promisify(inflateRaw);

const ICC_NAME = 'icc';
const ZLIB_HEADER = 2;
/** Length, type and checksum around the data of a chunk. */
const FRAME = 12;

/** Chunks that determine pixels, colours, size and animation (PNG, third edition); of all others, only colours and orientation stay. */
const KEPT = new Set('IHDR PLTE IDAT IEND tRNS cHRM gAMA sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(' '));

/**
 * Walks the chunks of a PNG or APNG up to IEND and verifies the checksums of those that stay. Removes texts, time, EXIF,
 * unknown chunks and everything after the picture; writes an orientation from EXIF and the rights that stay back.
 */
export async function planPng(file: ImageBytes, rights?: KeptRights): Promise<StripPlan> {
  const plan = new PlanBuilder(rights);
  const texts = new PngTexts();
  plan.keep(0, SIGNATURE_LENGTH);
  const seen = new Set<string>();
  let at = SIGNATURE_LENGTH;
  while (!seen.has('IEND')) {
    const head = await file.at(at, 8);
    const length = head.readUInt32BE();
    const type = head.toString('latin1', 4);
    const end = at + FRAME + length;
    if (end > file.size || (at === SIGNATURE_LENGTH) !== (type === 'IHDR')) throw new DamagedImageError();
    if (type === 'IEND' && !plan.exif) plan.insertLater((kept) => metadataChunks(1, kept));
    if (KEPT.has(type) || type === 'iCCP') {
      await verifyChecksum(file, at, end);
      if (type !== 'iCCP') plan.keep(at, end);
      else if (!seen.has(type)) await takeProfile(file, plan, at, end);
    } else if (isCritical(type)) throw new DamagedImageError();
    else if (type === 'eXIf' && !plan.exif) await replaceExif(file, plan, at, end);
    else if (rights === 'own') await texts.read(file, type, { from: at + 8, to: end - 4 });
    seen.add(type);
    at = end;
  }
  if (!seen.has('IDAT')) throw new DamagedImageError();
  await plan.note('texts', async () => texts.rights());
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
  const exif = await readExif(file, { from: at + 8, to: end - 4 });
  plan.exif = exif;
  plan.insertLater((rights) => metadataChunks(exif.orientation, rights));
}

function metadataChunks(orientation: number, rights: Rights): Piece[] {
  const exif = keptExif(orientation, rights);
  const packet = xmpPacket(rights);
  const text = packet && Buffer.concat([Buffer.from(`${XMP_KEYWORD}\0\0\0\0\0`), packet]);
  const chunks = [...(exif ? [chunkOf('eXIf', exif)] : []), ...(text ? [chunkOf('iTXt', text)] : [])];
  return chunks.map((bytes) => ({ bytes }));
}

/** The name of a profile is free text from the program that wrote it; the reduced one has the name that most programs write. */
async function takeProfile(file: ImageBytes, plan: PlanBuilder, at: number, end: number): Promise<void> {
  if (end - at > MAX_ICC_BYTES) return;
  const data = await file.copy({ from: at + 8, to: end - 4 });
  const nameEnd = data.subarray(0, 80).indexOf(0);
  // After the name: the compression method, of which there is only one.
  if (nameEnd < 1 || data[nameEnd + 1] !== 0) return;
  const profile = await inflateProfile(data.subarray(nameEnd + 2));
  const reduced = profile && reduceProfile(profile);
  if (!profile || !reduced) return;
  const isReduced = reduced.equals(profile) && data.toString('latin1', 0, nameEnd) === ICC_NAME;
  if (isReduced) plan.keep(at, end);
  else plan.insert(chunkOf('iCCP', Buffer.concat([Buffer.from(`${ICC_NAME}\0\0`, 'latin1'), await deflated(reduced)])));
}

/** As libpng reads it: what matters is that the profile is complete, not what follows it, such as zlib's checksum. Undefined for a damaged or too large one. */
async function inflateProfile(data: Buffer): Promise<Buffer | undefined> {
  if (!hasZlibHeader(data)) return undefined;
  try {
    const options = { maxOutputLength: MAX_ICC_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
    const profile = await inflated(data.subarray(ZLIB_HEADER), options);
    const length = profile.length < 4 ? Number.POSITIVE_INFINITY : profile.readUInt32BE();
    return length <= profile.length ? profile.subarray(0, length) : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** RFC 1950 §2.2: deflate, a window of up to 32 KB, no dictionary, and a check of both bytes. */
function hasZlibHeader(data: Buffer): boolean {
  if (data.length < ZLIB_HEADER) return false;
  const [both, method, window] = [data.readUInt16BE(), data.readUInt8() & 15, data.readUInt8() >> 4];
  return both % 31 === 0 && method === 8 && window <= 7 && (both & 0x20) === 0;
}

function chunkOf(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(FRAME + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

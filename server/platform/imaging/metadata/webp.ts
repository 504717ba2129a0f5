import type { ByteRange, ImageBytes } from '../bytes.ts';
import { MAX_ICC_BYTES, reduceProfile } from '../colour/icc/reduce.ts';
import { DamagedImageError } from '../errors.ts';
import { keptExif, readExif } from './exif.ts';
import { type KeptRights, PlanBuilder, pieceLength, type StripPlan } from './plan.ts';
import { readPacket, xmpPacket } from './xmp.ts';

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
const VP8X_LENGTH = CHUNK_HEADER + 10;
/** Position, size, duration and flags of a frame, before its chunks. */
const FRAME_HEADER = 16;
const ICC_FLAG = 0x20;
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

const PIXELS = new Set(['VP8 ', 'VP8L', 'ANMF']);
const KEPT = new Set([...PIXELS, 'VP8X', 'ANIM', 'ALPH']);
const METADATA = new Set(['ICCP', 'EXIF', 'XMP ']);
const KEPT_IN_FRAME = new Set(['VP8 ', 'VP8L', 'ALPH']);

/**
 * Walks the chunks of a WebP (RFC 9649) and those inside its frames. Removes EXIF, XMP, unknown chunks and everything after
 * the container; reduces the ICC profile to its colours; adjusts the flags and the lengths; writes an orientation from EXIF
 * back, and the rights that stay.
 */
export async function planWebp(file: ImageBytes, rights?: KeptRights): Promise<StripPlan> {
  const end = CHUNK_HEADER + (await file.at(4, 4)).readUInt32LE();
  if (end > file.size) throw new DamagedImageError();
  const body = new PlanBuilder(rights);
  let vp8x: ByteRange | undefined;
  let icc: 'kept' | 'removed' | undefined;
  let images = 0;
  let isRisky = false;
  for (let at = RIFF_HEADER; at + CHUNK_HEADER <= end; ) {
    const head = await file.at(at, CHUNK_HEADER);
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const next = at + CHUNK_HEADER + length + (length % 2);
    if (at + CHUNK_HEADER + length > end) throw new DamagedImageError();
    if (type === 'VP8X' && at === RIFF_HEADER && next - at >= VP8X_LENGTH) vp8x = { from: at, to: next };
    else if (type === 'ANMF') {
      if (!(await takeFrame(file, body, { from: at, to: at + CHUNK_HEADER + length }, Math.min(next, end)))) isRisky = true;
    } else if (type === 'ICCP') icc ??= await takeProfile(file, body, { from: at, to: at + CHUNK_HEADER + length }, Math.min(next, end));
    else if (KEPT.has(type)) body.keep(at, Math.min(next, end));
    else if (type === 'EXIF' && !body.exif) body.exif = await readExif(file, await exifRange(file, at + CHUNK_HEADER, length));
    else if (type === 'XMP ') await body.note('xmp', () => readPacket(file, { from: at + CHUNK_HEADER, to: at + CHUNK_HEADER + length }));
    if (PIXELS.has(type)) images++;
    // Without VP8X in front, readers know no metadata.
    if (!KEPT.has(type) && !(vp8x && METADATA.has(type))) isRisky = true;
    at = next;
  }
  if (images === 0) throw new DamagedImageError();
  return { ...(await assemble(file, body.finish(), vp8x, icc === 'kept')), isRisky };
}

/** @param next where the next chunk begins, after a byte of padding */
async function takeProfile(file: ImageBytes, body: PlanBuilder, chunk: ByteRange, next: number): Promise<'kept' | 'removed'> {
  const content = { from: chunk.from + CHUNK_HEADER, to: chunk.to };
  if (content.to - content.from > MAX_ICC_BYTES) return 'removed';
  const profile = await file.copy(content);
  const reduced = reduceProfile(profile);
  if (!reduced) return 'removed';
  if (reduced.equals(profile)) body.keep(chunk.from, next);
  else {
    body.insert(chunkHead('ICCP', reduced.length));
    // The length of a reduced profile is a multiple of four: it needs no padding.
    body.insert(reduced);
  }
  return 'kept';
}

/**
 * The frame of an animation, without the chunks that readers must ignore there.
 * @returns whether there are none
 */
async function takeFrame(file: ImageBytes, body: PlanBuilder, chunk: ByteRange, next: number): Promise<boolean> {
  const first = chunk.from + CHUNK_HEADER + FRAME_HEADER;
  if (first > chunk.to) throw new DamagedImageError();
  const kept: ByteRange[] = [];
  let isClean = true;
  for (let at = first; at + CHUNK_HEADER <= chunk.to; ) {
    const head = await file.at(at, CHUNK_HEADER);
    const length = head.readUInt32LE(4);
    const end = at + CHUNK_HEADER + length + (length % 2);
    if (at + CHUNK_HEADER + length > chunk.to) throw new DamagedImageError();
    if (KEPT_IN_FRAME.has(head.toString('latin1', 0, 4))) kept.push({ from: at, to: Math.min(end, chunk.to) });
    else isClean = false;
    at = end;
  }
  const last = kept.at(-1)?.to ?? first;
  if (isClean && last === chunk.to) {
    body.keep(chunk.from, next);
    return true;
  }
  const length = FRAME_HEADER + kept.reduce((sum, range) => sum + range.to - range.from, 0);
  body.insert(chunkHead('ANMF', length));
  body.keep(chunk.from + CHUNK_HEADER, first);
  for (const range of kept) body.keep(range.from, range.to);
  body.zeros(length % 2);
  return false;
}

/** Some writers put JPEG's prefix before the TIFF structure. */
async function exifRange(file: ImageBytes, from: number, length: number): Promise<ByteRange> {
  const isPrefixed = length >= 6 && (await file.at(from, 6)).toString('latin1') === 'Exif\0\0';
  return { from: from + (isPrefixed ? 6 : 0), to: from + length };
}

/** The simple format, without VP8X, holds only one picture. With VP8X, flags and length are adjusted. */
async function assemble(file: ImageBytes, body: StripPlan, vp8x: ByteRange | undefined, hasProfile: boolean): Promise<StripPlan> {
  const kept = vp8x && keptExif(body.orientation, body.rights);
  const packet = vp8x && xmpPacket(body.rights);
  const metadata = Buffer.concat([...(kept ? chunkOf('EXIF', kept) : []), ...(packet ? chunkOf('XMP ', packet) : [])]);
  const flags = vp8x && Buffer.from(await file.at(vp8x.from, VP8X_LENGTH));
  flags?.writeUInt32LE(VP8X_LENGTH - CHUNK_HEADER, 4);
  const removed = EXIF_FLAG | XMP_FLAG | (hasProfile ? 0 : ICC_FLAG);
  flags?.writeUInt8((flags.readUInt8(CHUNK_HEADER) & ~removed) | (kept ? EXIF_FLAG : 0) | (packet ? XMP_FLAG : 0), CHUNK_HEADER);
  const original = Buffer.from(await file.at(0, RIFF_HEADER + (vp8x ? VP8X_LENGTH : 0)));
  const riff = original.subarray(0, RIFF_HEADER);
  const length = body.pieces.reduce((sum, piece) => sum + pieceLength(piece), 0) + (flags?.length ?? 0) + metadata.length;
  riff.writeUInt32LE(length + RIFF_HEADER - CHUNK_HEADER, 4);
  const head = flags ? Buffer.concat([riff, flags]) : riff;
  const plan = new PlanBuilder();
  if (head.equals(await file.at(0, head.length))) plan.keep(0, head.length);
  else plan.insert(head);
  for (const piece of body.pieces) plan.add(piece);
  if (metadata.length > 0) plan.insert(metadata);
  return { ...body, pieces: plan.finish().pieces };
}

function chunkOf(type: string, data: Buffer): Buffer[] {
  return [chunkHead(type, data.length), data, Buffer.alloc(data.length % 2)];
}

function chunkHead(type: string, length: number): Buffer {
  const head = Buffer.alloc(CHUNK_HEADER);
  head.write(type, 'latin1');
  head.writeUInt32LE(length, 4);
  return head;
}

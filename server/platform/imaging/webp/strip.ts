import type { ByteRange, ImageBytes } from '../bytes.ts';
import { MAX_ICC_BYTES, reduceProfile } from '../colour/icc/reduce.ts';
import { DamagedImageError } from '../errors.ts';
import { keptExif, readExif } from '../metadata/exif.ts';
import { type KeptRights, PlanBuilder, planLength, type StripPlan } from '../metadata/plan.ts';
import { readPacket, xmpPacket } from '../metadata/xmp.ts';

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
const VP8X_LENGTH = CHUNK_HEADER + 10;
/** Position, size, duration and flags of a frame, before its chunks. */
const FRAME_HEADER = 16;
const ICC_FLAG = 0x20;
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

const ANIMATION_FLAG = 0x02;
const ALPHA_FLAG = 0x10;
/** Of the repetition and the colour of the background. */
const ANIM_LENGTH = 6;
/** The bits of a frame's header that mean something: how it is drawn and removed. */
const FRAME_BITS = 0x03;

const METADATA = new Set(['ICCP', 'EXIF', 'XMP ']);
const BITSTREAMS = new Set(['VP8 ', 'VP8L']);

/** A chunk, without its byte of padding. */
interface Chunk extends ByteRange {
  readonly type: string;
}

/**
 * Walks the chunks of a WebP (RFC 9649) and those inside its frames. Keeps those that its kind needs, once: a picture with its transparency, or frames. Removes EXIF, XMP, all
 * other chunks and everything after the container; reduces the ICC profile to its colours; adjusts the flags and the lengths; writes the rights that stay
 * back. The orientation goes: browsers never apply it.
 */
export async function planWebp(file: ImageBytes, rights?: KeptRights): Promise<StripPlan> {
  const end = CHUNK_HEADER + (await file.at(4, 4)).readUInt32LE();
  if (end > file.size) throw new DamagedImageError();
  const body = new PlanBuilder(rights);
  const chunks = await chunksIn(file, RIFF_HEADER, end);
  const [first] = chunks;
  const vp8x = first?.type === 'VP8X' && first.to - first.from >= VP8X_LENGTH ? first : undefined;
  const isAnimated = vp8x !== undefined && ((await file.at(vp8x.from + CHUNK_HEADER, 1)).readUInt8() & ANIMATION_FLAG) !== 0;
  const seen = new Set<string>();
  let icc: 'kept' | 'removed' | undefined;
  let images = 0;
  let isRisky = false;
  for (const chunk of chunks) {
    const { type, from, to } = chunk;
    const content = { from: from + CHUNK_HEADER, to };
    // Without VP8X in front, readers know no metadata.
    const isKnown = chunk === vp8x || (vp8x !== undefined && METADATA.has(type));
    if (type === 'ICCP') icc ??= await takeProfile(file, body, chunk);
    else if (type === 'EXIF' && !body.exif)
      body.exif = { ...(await readExif(file, await exifRange(file, content.from, to - content.from))), orientation: 1 };
    else if (type === 'XMP ') await body.note('xmp', () => readPacket(file, content));
    if (isKnown) continue;
    if (isAnimated && type === 'ANMF') {
      if (!(await takeFrame(file, body, chunk))) isRisky = true;
      images++;
    } else if (isAnimated && type === 'ANIM' && !seen.has(type)) await keepChunk(file, body, chunk, ANIM_LENGTH);
    else if (!isAnimated && BITSTREAMS.has(type) && images === 0) {
      await keepChunk(file, body, chunk);
      images++;
    } else if (!isAnimated && type === 'ALPH' && images === 0 && !seen.has(type)) await keepChunk(file, body, chunk);
    else isRisky = true;
    seen.add(type);
  }
  if (images === 0) throw new DamagedImageError();
  return { ...(await assemble(file, body.finish(), vp8x, icc === 'kept')), isRisky };
}

/** @throws DamagedImageError when one reaches beyond the end */
async function chunksIn(file: ImageBytes, from: number, end: number): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for (let at = from; at + CHUNK_HEADER <= end; ) {
    const head = await file.at(at, CHUNK_HEADER);
    const to = at + CHUNK_HEADER + head.readUInt32LE(4);
    if (to > end) throw new DamagedImageError();
    chunks.push({ type: head.toString('latin1', 0, 4), from: at, to });
    at = to + ((to - at) % 2);
  }
  return chunks;
}

/** Keeps a chunk, with a zero for its padding. @param length of what has a meaning; all of it by default */
async function keepChunk(file: ImageBytes, body: PlanBuilder, { type, from, to }: Chunk, length = to - from - CHUNK_HEADER): Promise<void> {
  const end = from + CHUNK_HEADER + length;
  if (end > to) throw new DamagedImageError();
  if (end === to) body.keep(from, to);
  else {
    body.insert(chunkHead(type, length));
    body.keep(from + CHUNK_HEADER, end);
  }
  await keepPadding(file, body, end, length, end === to);
}

/** The byte of padding behind data of an odd length, which is zero. @param isThere whether the file may have it at this place */
async function keepPadding(file: ImageBytes, body: PlanBuilder, at: number, length: number, isThere: boolean): Promise<void> {
  if (length % 2 === 0) return;
  if (isThere && at < file.size && (await file.at(at, 1))[0] === 0) body.keep(at, at + 1);
  else body.zeros(1);
}

async function takeProfile(file: ImageBytes, body: PlanBuilder, chunk: Chunk): Promise<'kept' | 'removed'> {
  const content = { from: chunk.from + CHUNK_HEADER, to: chunk.to };
  if (content.to - content.from > MAX_ICC_BYTES) return 'removed';
  const profile = await file.copy(content);
  const reduced = reduceProfile(profile);
  if (!reduced) return 'removed';
  if (reduced.equals(profile)) await keepChunk(file, body, chunk);
  else {
    body.insert(chunkHead('ICCP', reduced.length));
    // The length of a reduced profile is a multiple of four: it needs no padding.
    body.insert(reduced);
  }
  return 'kept';
}

/**
 * The frame of an animation, without the chunks and bits that readers must ignore there.
 * @returns whether there are none
 */
async function takeFrame(file: ImageBytes, body: PlanBuilder, chunk: Chunk): Promise<boolean> {
  const first = chunk.from + CHUNK_HEADER + FRAME_HEADER;
  if (first > chunk.to) throw new DamagedImageError();
  const inside = new PlanBuilder();
  let pixels: Chunk | undefined;
  let alpha: Chunk | undefined;
  const chunks = await chunksIn(file, first, chunk.to);
  for (const part of chunks) {
    if (BITSTREAMS.has(part.type)) pixels ??= part;
    else if (part.type === 'ALPH' && !pixels) alpha ??= part;
  }
  const kept = [alpha, pixels].filter((part) => part !== undefined);
  for (const part of kept) await keepChunk(file, inside, part);
  const content = inside.finish();
  const length = FRAME_HEADER + planLength(content);
  const header = Buffer.from(await file.at(first - FRAME_HEADER, FRAME_HEADER));
  header.writeUInt8(header.readUInt8(FRAME_HEADER - 1) & FRAME_BITS, FRAME_HEADER - 1);
  const [only, another] = content.pieces;
  const isPlain = only !== undefined && !another && 'from' in only && only.from === first && only.to === chunk.to;
  if (isPlain && header.equals(await file.at(first - FRAME_HEADER, FRAME_HEADER))) await keepChunk(file, body, chunk);
  else {
    body.insert(chunkHead('ANMF', length));
    body.insert(header);
    for (const piece of content.pieces) body.add(piece);
    body.zeros(length % 2);
  }
  return kept.length === chunks.length;
}

/** Some writers put JPEG's prefix before the TIFF structure. */
async function exifRange(file: ImageBytes, from: number, length: number): Promise<ByteRange> {
  const isPrefixed = length >= 6 && (await file.at(from, 6)).toString('latin1') === 'Exif\0\0';
  return { from: from + (isPrefixed ? 6 : 0), to: from + length };
}

/** The simple format, without VP8X, holds only one picture. With VP8X, flags and length are adjusted. */
async function assemble(file: ImageBytes, body: StripPlan, vp8x: ByteRange | undefined, hasProfile: boolean): Promise<StripPlan> {
  const kept = vp8x && keptExif(1, body.rights);
  const packet = vp8x && xmpPacket(body.rights);
  const metadata = Buffer.concat([...(kept ? chunkOf('EXIF', kept) : []), ...(packet ? chunkOf('XMP ', packet) : [])]);
  const flags = vp8x && Buffer.from(await file.at(vp8x.from, VP8X_LENGTH));
  flags?.writeUInt32LE(VP8X_LENGTH - CHUNK_HEADER, 4);
  const stay = ANIMATION_FLAG | ALPHA_FLAG | (hasProfile ? ICC_FLAG : 0);
  // The other three bytes are reserved.
  flags?.writeUInt32LE((flags.readUInt8(CHUNK_HEADER) & stay) | (kept ? EXIF_FLAG : 0) | (packet ? XMP_FLAG : 0), CHUNK_HEADER);
  const original = Buffer.from(await file.at(0, RIFF_HEADER + (vp8x ? VP8X_LENGTH : 0)));
  const riff = original.subarray(0, RIFF_HEADER);
  const length = planLength(body) + (flags?.length ?? 0) + metadata.length;
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

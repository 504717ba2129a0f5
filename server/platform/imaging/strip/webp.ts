import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import { orientationOnlyExif, readExif } from '../exif.ts';
import { PlanBuilder, pieceLength, type StripPlan } from './plan.ts';

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
const VP8X_LENGTH = CHUNK_HEADER + 10;
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

const PIXELS = new Set(['VP8 ', 'VP8L', 'ANMF']);
const KEPT = new Set([...PIXELS, 'VP8X', 'ICCP', 'ANIM', 'ALPH']);

/**
 * Walks the chunks of a WebP (RFC 9649). Removes EXIF, XMP, unknown chunks and everything after the container; adjusts the
 * flags and the container's length; writes an orientation from EXIF back.
 */
export async function planWebp(file: ImageBytes): Promise<StripPlan> {
  const end = CHUNK_HEADER + (await file.at(4, 4)).readUInt32LE();
  if (end > file.size) throw new DamagedImageError();
  const body = new PlanBuilder();
  let vp8x: ByteRange | undefined;
  let images = 0;
  for (let at = RIFF_HEADER; at + CHUNK_HEADER <= end; ) {
    const head = await file.at(at, CHUNK_HEADER);
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const next = at + CHUNK_HEADER + length + (length % 2);
    if (at + CHUNK_HEADER + length > end) throw new DamagedImageError();
    if (type === 'VP8X' && at === RIFF_HEADER && next - at >= VP8X_LENGTH) vp8x = { from: at, to: next };
    else if (KEPT.has(type)) body.keep(at, Math.min(next, end));
    else if (type === 'EXIF' && !body.exif) body.exif = await exifRange(file, at + CHUNK_HEADER, length);
    if (PIXELS.has(type)) images++;
    at = next;
  }
  if (images === 0) throw new DamagedImageError();
  return assemble(file, body.finish(), vp8x);
}

/** Some writers put JPEG's prefix before the TIFF structure. */
async function exifRange(file: ImageBytes, from: number, length: number): Promise<ByteRange> {
  const isPrefixed = length >= 6 && (await file.at(from, 6)).toString('latin1') === 'Exif\0\0';
  return { from: from + (isPrefixed ? 6 : 0), to: from + length };
}

/** The simple format, without VP8X, holds only one picture. With VP8X, flags and length are adjusted. */
async function assemble(file: ImageBytes, body: StripPlan, vp8x: ByteRange | undefined): Promise<StripPlan> {
  const orientation = vp8x && body.exif ? (await readExif(file, body.exif)).orientation : 1;
  const exif = orientation === 1 ? Buffer.alloc(0) : exifChunk(orientation);
  const flags = vp8x && Buffer.from(await file.at(vp8x.from, VP8X_LENGTH));
  flags?.writeUInt32LE(VP8X_LENGTH - CHUNK_HEADER, 4);
  flags?.writeUInt8((flags.readUInt8(CHUNK_HEADER) & ~(EXIF_FLAG | XMP_FLAG)) | (exif.length > 0 ? EXIF_FLAG : 0), CHUNK_HEADER);
  const original = Buffer.from(await file.at(0, RIFF_HEADER + (vp8x ? VP8X_LENGTH : 0)));
  const riff = original.subarray(0, RIFF_HEADER);
  const length = body.pieces.reduce((sum, piece) => sum + pieceLength(piece), 0) + (flags?.length ?? 0) + exif.length;
  riff.writeUInt32LE(length + RIFF_HEADER - CHUNK_HEADER, 4);
  const head = flags ? Buffer.concat([riff, flags]) : riff;
  const plan = new PlanBuilder();
  if (head.equals(await file.at(0, head.length))) plan.keep(0, head.length);
  else plan.insert(head);
  for (const piece of body.pieces) if ('to' in piece) plan.keep(piece.from, piece.to);
  if (exif.length > 0) plan.insert(exif);
  return { ...plan.finish(), ...(body.exif && { exif: body.exif }) };
}

function exifChunk(orientation: number): Buffer {
  const data = orientationOnlyExif(orientation);
  const head = Buffer.alloc(CHUNK_HEADER);
  head.write('EXIF', 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

import type { ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import { keptExif, readExif } from '../metadata/exif.ts';
import { iptcRights } from '../metadata/iptc.ts';
import { type KeptRights, type Piece, PlanBuilder, type StripPlan } from '../metadata/plan.ts';
import type { Rights } from '../metadata/rights.ts';
import { readPacket, XMP_PREFIX, xmpPacket } from '../metadata/xmp.ts';
import { checkJpeg, type JpegFacts } from './check.ts';
import { ICC_MARKER, ICC_NAME, JpegProfile } from './profile.ts';
import {
  EOI,
  findMarker,
  headSegments,
  isBare,
  isFrame,
  isInsideScan,
  type JpegSegment,
  SOI_LENGTH,
  SOS,
  samplesPerPixel,
  segmentLength,
} from './segments.ts';

const APP0 = 0xe0;
const APP1 = 0xe1;
const COM = 0xfe;

/** The fixed part of a JFIF header; what follows is a thumbnail. */
const JFIF_LENGTH = 18;

/** A JPEG in front of the data of its first scan. In most files, that is where all metadata are. */
export interface JpegHead {
  /** Where the data begins. */
  readonly end: number;
  /** What stays; the last piece ends at `end`. */
  readonly pieces: readonly Piece[];
}

/**
 * Walks the segments of a JPEG (ITU-T T.81) up to the end-of-image marker. Keeps what determines pixels and colours:
 * tables, frames, scans, JFIF, the colours of the ICC profile, Adobe's colour transform. Removes EXIF, XMP, IPTC, Photoshop,
 * comments, maker data, thumbnails, and everything after the picture (other pictures, videos). Writes the orientation back,
 * and the rights that stay.
 * @param onFirstScan called with what stays of the file up to its first scan's data
 */
export async function planJpeg(file: ImageBytes, rights?: KeptRights, onFirstScan?: (head: JpegHead) => void): Promise<StripPlan> {
  const plan = new PlanBuilder(rights);
  plan.keep(0, SOI_LENGTH);
  const profile = new JpegProfile();
  const check = checkJpeg();
  let at = SOI_LENGTH;
  let scans = 0;
  for (;;) {
    at = await findMarker(file, at);
    const marker = (await file.at(at, 2)).readUInt8(1);
    if (marker === EOI || marker === SOS) await profile.settle(file);
    if (marker === EOI) break;
    if (isBare(marker)) {
      check.take(marker, Buffer.alloc(0));
      plan.keep(at, at + 2);
      at += 2;
      continue;
    }
    const end = at + 2 + (await segmentLength(file, at));
    // Rights that were in IPTC or XMP only.
    if (marker === SOS && scans === 0 && !plan.exif) plan.insertLater((kept) => metadataSegments(1, kept));
    if (isPartOfPicture(marker)) {
      check.take(marker, await file.at(at + 4, end - at - 4));
      plan.keep(at, end);
    } else await takeData(file, plan, profile, { marker, from: at, to: end }, scans === 0);
    at = end;
    if (marker === SOS) {
      if (scans === 0) onFirstScan?.({ end, pieces: plan.finish().pieces });
      scans++;
      at = await findMarker(file, end, isInsideScan);
      plan.keep(end, at);
    }
  }
  if (scans === 0) throw new DamagedImageError();
  plan.keep(at, at + 2);
  const jpeg = check.facts();
  return { ...plan.finish(), ...(jpeg && { jpeg }) };
}

const isPartOfPicture = (marker: number) => marker !== COM && (marker < APP0 || marker > 0xef);

/**
 * What the frame of a JPEG says; undefined if it is unusual, so that only a decoder can tell.
 * @throws DamagedImageError if the file ends before it
 */
export async function readJpegFrame(file: ImageBytes): Promise<JpegFacts | undefined> {
  const check = checkJpeg();
  for await (const { marker, from, to } of headSegments(file))
    if (isPartOfPicture(marker)) check.take(marker, await file.at(from + 4, to - from - 4));
  return check.frame();
}

/**
 * Samples per pixel, from the sampling factors in the frame's header: 3 for 4:4:4, 1.5 for 4:2:0.
 * @throws DamagedImageError without a frame
 */
export async function jpegSamples(file: ImageBytes): Promise<number> {
  for (let at = SOI_LENGTH; ; ) {
    at = await findMarker(file, at);
    const marker = (await file.at(at, 2)).readUInt8(1);
    if (marker === EOI || marker === SOS) throw new DamagedImageError();
    const length = isBare(marker) ? 0 : await segmentLength(file, at);
    if (isFrame(marker)) return samplesOfFrame(await file.at(at + 4, length - 2));
    at += 2 + length;
  }
}

/** After precision, height and width: the number of components, and for each its id, its factors (four bits each) and its table. */
function samplesOfFrame(frame: Buffer): number {
  const components = frame[5] ?? 0;
  if (components === 0 || frame.length < 6 + 3 * components) throw new DamagedImageError();
  const factors = Array.from({ length: components }, (_, i) => frame.readUInt8(7 + 3 * i));
  const samples = samplesPerPixel(factors.map((both) => ({ across: both >> 4, down: both & 15 })));
  if (!Number.isFinite(samples)) throw new DamagedImageError();
  return samples;
}

/** Application data and comments. @param isHead whether it is in front of the first scan, as metadata must be */
async function takeData(file: ImageBytes, plan: PlanBuilder, profile: JpegProfile, segment: JpegSegment, isHead: boolean): Promise<void> {
  const { marker, from, to } = segment;
  const head = (await file.at(from, Math.min(to - from, 64))).toString('latin1');
  const named = (id: string) => head.startsWith(id, 4);
  const content = { from: from + 4, to };
  if (marker === APP0 && named('JFIF\0')) await takeJfif(file, plan, from, to);
  else if (marker === APP1 && named('Exif\0') && !plan.exif) await replaceExif(file, plan, segment, isHead);
  else if (marker === APP1 && named(XMP_PREFIX) && isHead) await plan.note('xmp', () => readPacket(file, content));
  else if (marker === ICC_MARKER && named(ICC_NAME)) {
    if (await profile.take(file, segment)) plan.insertLater(() => profile.piecesAt(from));
  } else if (marker === 0xed && isHead) await plan.note('iptc', async () => iptcRights(await file.copy(content)));
  else if (marker === 0xee && named('Adobe')) plan.keep(from, to);
}

/** JFIF may have a thumbnail of raw pixels after its fixed part. */
async function takeJfif(file: ImageBytes, plan: PlanBuilder, at: number, end: number): Promise<void> {
  if (end - at <= JFIF_LENGTH) {
    plan.keep(at, end);
    return;
  }
  const header = Buffer.from(await file.at(at, JFIF_LENGTH));
  header.writeUInt16BE(JFIF_LENGTH - 2, 2);
  header.writeUInt16BE(0, JFIF_LENGTH - 2);
  plan.insert(header);
}

async function replaceExif(file: ImageBytes, plan: PlanBuilder, { from, to }: JpegSegment, isHead: boolean): Promise<void> {
  const exif = await readExif(file, { from: Math.min(from + 10, to), to });
  plan.exif = isHead ? exif : { ...exif, rights: {} };
  plan.insertLater((rights) => metadataSegments(exif.orientation, rights));
}

/** Each part is far smaller than a segment can be. */
function metadataSegments(orientation: number, rights: Rights): Piece[] {
  const exif = keptExif(orientation, rights);
  const packet = xmpPacket(rights);
  const segments = [...(exif ? [segmentOf('Exif\0\0', exif)] : []), ...(packet ? [segmentOf(XMP_PREFIX, packet)] : [])];
  return segments.map((bytes) => ({ bytes }));
}

function segmentOf(prefix: string, data: Buffer): Buffer {
  const head = Buffer.from(`\xff\xe1\0\0${prefix}`, 'latin1');
  head.writeUInt16BE(head.length - 2 + data.length, 2);
  return Buffer.concat([head, data]);
}

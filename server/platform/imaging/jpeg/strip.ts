import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError, ImageError } from '../errors.ts';
import { keptExif, readExif } from '../metadata/exif.ts';
import { iptcRights } from '../metadata/iptc.ts';
import { type KeptRights, type Piece, PlanBuilder, pieceLength, type StripPlan } from '../metadata/plan.ts';
import type { Rights } from '../metadata/rights.ts';
import { readPacket, XMP_PREFIX, xmpPacket } from '../metadata/xmp.ts';
import { checkJpeg, type JpegFacts } from './check.ts';
import { emptyIndex, type GainMap, GainMapClaim, GainMapDescription, withGainMap } from './gain-map.ts';
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
  segmentOf,
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
 * Walks the segments of a JPEG (ITU-T T.81) up to the end-of-image marker. Keeps what determines pixels and colours: tables, frames, scans, JFIF, the colours of the
 * ICC profile, Adobe's colour transform, and a gain map behind the picture (decision 164). Removes EXIF, XMP, IPTC, Photoshop, comments, maker data, thumbnails, and everything
 * else after the picture (other pictures, videos). Writes the orientation back, and the rights that stay.
 * @param onFirstScan called with what stays of the file up to its first scan's data, unless a gain map may follow, which changes that
 */
export async function planJpeg(file: ImageBytes, rights?: KeptRights, onFirstScan?: (head: JpegHead) => void): Promise<StripPlan> {
  const plan = new PlanBuilder(rights);
  const claim = new GainMapClaim();
  let gainMap: GainMap | undefined;
  const write = (orientation: number) => plan.insertLater((kept) => metadataSegments(orientation, kept, gainMap));
  const { end, jpeg } = await walk(file, 0, plan, {
    async take(segment, isHead) {
      if (isHead && (await claim.take(file, segment))) plan.insertLater((kept) => (gainMap ? gainMapSegments(gainMap, kept) : []));
      await takeMetadata(file, plan, segment, { isHead, write });
    },
    // Rights that were in IPTC or XMP only.
    beforeFirstScan: () => plan.exif ?? write(1),
    onFirstScan(at) {
      if (claim.places.length === 0) onFirstScan?.({ end: at, pieces: plan.finish().pieces });
    },
  });
  const places = claim.places.filter(({ from }) => from >= end);
  if (jpeg) gainMap = await findGainMap(file, places, jpeg);
  const whole = plan.finish();
  return { ...(gainMap ? withGainMap(whole, gainMap) : whole), ...(jpeg && { jpeg }) };
}

interface Visitor {
  /** Takes application data or a comment. @param isHead whether it is in front of the first scan, as metadata must be */
  take(segment: JpegSegment, isHead: boolean): Promise<void>;
  beforeFirstScan?(): void;
  /** Called in front of the first scan's data. */
  onFirstScan?(at: number): void;
}

/**
 * Walks the segments of a picture, and keeps those that determine pixels and colours.
 * @returns where it ends
 */
async function walk(file: ImageBytes, start: number, plan: PlanBuilder, visitor: Visitor) {
  plan.keep(start, start + SOI_LENGTH);
  const profile = new JpegProfile();
  const check = checkJpeg();
  let at = start + SOI_LENGTH;
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
    if (marker === SOS && scans === 0) visitor.beforeFirstScan?.();
    const segment = { marker, from: at, to: end };
    if (isPartOfPicture(marker)) {
      check.take(marker, await file.at(at + 4, end - at - 4));
      plan.keep(at, end);
    } else if (!(await takeColours(file, plan, profile, segment))) await visitor.take(segment, scans === 0);
    at = end;
    if (marker === SOS) {
      if (scans === 0) visitor.onFirstScan?.(end);
      scans++;
      at = await findMarker(file, end, isInsideScan);
      plan.keep(end, at);
    }
  }
  if (scans === 0) throw new DamagedImageError();
  plan.keep(at, at + 2);
  return { end: at + 2, jpeg: check.facts() };
}

/** The first picture at these places that is a gain map, with as many pixels as the picture at most: browsers decode it, too. One that isn't sound is none. */
async function findGainMap(file: ImageBytes, places: readonly ByteRange[], { width, height }: JpegFacts): Promise<GainMap | undefined> {
  for (const { from, to } of places) {
    const plan = new PlanBuilder();
    const description = new GainMapDescription();
    const take = async (segment: JpegSegment) => {
      const kept = await description.take(file, segment);
      if (kept) plan.insert(kept);
    };
    try {
      if (!(await isJpeg(file, from))) continue;
      const { end, jpeg } = await walk(file, from, plan, { take });
      const { pieces } = plan.finish();
      const isSound = jpeg && jpeg.width * jpeg.height <= width * height && end <= to && description.isFound;
      if (isSound) return { pieces, length: pieces.reduce((sum, piece) => sum + pieceLength(piece), 0), description, index: emptyIndex() };
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
    }
  }
  return undefined;
}

const isJpeg = async (file: ImageBytes, at: number) => (await file.at(at, SOI_LENGTH)).readUInt16BE() === 0xffd8;

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

/** Takes a segment of application data on which colours depend. @returns whether it is one */
async function takeColours(file: ImageBytes, plan: PlanBuilder, profile: JpegProfile, segment: JpegSegment): Promise<boolean> {
  const { marker, from, to } = segment;
  const named = await namesOf(file, segment);
  if (marker === APP0 && named('JFIF\0')) await takeJfif(file, plan, from, to);
  else if (marker === ICC_MARKER && named(ICC_NAME)) {
    if (await profile.take(file, segment)) plan.insertLater(() => profile.piecesAt(from));
  } else if (marker === 0xee && named('Adobe')) plan.keep(from, to);
  else return false;
  return true;
}

/** @param write has metadata written in the place of EXIF */
async function takeMetadata(
  file: ImageBytes,
  plan: PlanBuilder,
  segment: JpegSegment,
  { isHead, write }: { isHead: boolean; write: (orientation: number) => void },
): Promise<void> {
  const { marker, from, to } = segment;
  const named = await namesOf(file, segment);
  const content = { from: from + 4, to };
  if (marker === APP1 && named('Exif\0') && !plan.exif) {
    const exif = await readExif(file, { from: Math.min(from + 10, to), to });
    plan.exif = isHead ? exif : { ...exif, rights: {} };
    write(exif.orientation);
  } else if (marker === APP1 && named(XMP_PREFIX) && isHead) await plan.note('xmp', () => readPacket(file, content));
  else if (marker === 0xed && isHead) await plan.note('iptc', async () => iptcRights(await file.copy(content)));
}

/** A function that compares a name with the one that a segment begins with. */
async function namesOf(file: ImageBytes, { from, to }: JpegSegment): Promise<(name: string) => boolean> {
  const head = (await file.at(from, Math.min(to - from, 64))).toString('latin1');
  return (name) => head.startsWith(name, 4);
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

/** Each part is far smaller than a segment can be. The description of a gain map includes the rights. */
function metadataSegments(orientation: number, rights: Rights, gainMap: GainMap | undefined): Piece[] {
  const exif = keptExif(orientation, rights);
  const packet = gainMap ? undefined : xmpPacket(rights);
  const segments = [...(exif ? [segmentOf(APP1, 'Exif\0\0', exif)] : []), ...(packet ? [segmentOf(APP1, XMP_PREFIX, packet)] : [])];
  return segments.map((bytes) => ({ bytes }));
}

function gainMapSegments({ description, length, index }: GainMap, rights: Rights): Piece[] {
  const packet = xmpPacket(rights, description.ofPicture(length));
  const { versions } = description;
  const segments = [...(packet ? [segmentOf(APP1, XMP_PREFIX, packet)] : []), ...(versions ? [versions] : []), index];
  return segments.map((bytes) => ({ bytes }));
}

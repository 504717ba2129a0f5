import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError, ImageError, UnshownJpegError } from '../errors.ts';
import { keptExif, readExif } from '../metadata/exif.ts';
import { type KeptRights, type Piece, PlanBuilder, planLength, type StripPlan, UnfinishedImageError } from '../metadata/plan.ts';
import type { Rights } from '../metadata/rights.ts';
import { iptcRights } from '../metadata/rights.ts';
import { endsReadable, TAIL_BYTES } from '../metadata/tail.ts';
import { readPacket, XMP_PREFIX, xmpPacket } from '../metadata/xmp.ts';
import { checkJpeg, type JpegFacts } from './check.ts';
import { type CodedScan, readCoded } from './coded.ts';
import { emptyIndex, type GainMap, GainMapClaim, GainMapDescription, withGainMap } from './gain-map.ts';
import { ICC_MARKER, ICC_NAME, JpegProfile } from './profile.ts';
import {
  EOI,
  findMarker,
  isBare,
  isFrame,
  isRestart,
  type JpegSegment,
  SOI_LENGTH,
  SOS,
  segmentLength,
  segmentOf,
  TABLES,
} from './segments.ts';
import { JpegTables } from './tables.ts';

const SOF2 = 0xc2;
const SOF3 = 0xc3;
const [SOF9, SOF11] = [0xc9, 0xcb];
/** JPEG-LS. */
const SOF55 = 0xf7;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP13 = 0xed;
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;
const EOI_BYTES = Buffer.of(0xff, EOI);

/** JFIF's fixed part; what follows is a thumbnail. */
const JFIF_LENGTH = 18;
/** Adobe's segment, but for the colour transform at its end, which is all that decoders read: with the version and the flags that most programs write. */
const ADOBE_HEAD = Buffer.from('\xff\xee\0\x0eAdobe\0d\0\0\0\0', 'latin1');
const ADOBE_LENGTH = ADOBE_HEAD.length + 1;
/** A text of this many bytes in front of a restart marker is no coincidence, though a picture may have thousands of them. */
const LONG_TEXT = 12;

/**
 * Walks the segments of a JPEG (ITU-T T.81) up to the end-of-image marker. Keeps what determines pixels and colours: tables that a scan uses, frames, scans, JFIF,
 * the colours of the ICC profile, Adobe's colour transform, each in its fixed length, and a gain map behind the picture (decision 164). Removes EXIF, XMP, IPTC, Photoshop,
 * comments, maker data, thumbnails, reserved markers, what follows the data of a scan, and everything else after the picture (other pictures, videos). Writes the orientation
 * back, and the rights that stay.
 * @throws UnfinishedImageError if only the end-of-image marker is missing
 * @throws UnshownJpegError for JPEG-LS
 */
export async function planJpeg(file: ImageBytes, rights?: KeptRights): Promise<StripPlan> {
  const plain = await planPicture(file, rights).catch(endsTooSoon);
  return plain ?? required(await planPicture(file, rights, await readCoded(file)));
}

/** The end may be missing, or what looks like a segment may belong to what was appended to the picture. */
function endsTooSoon(error: unknown): undefined {
  if (error instanceof DamagedImageError) return undefined;
  throw error;
}

function required(plan: StripPlan | undefined): StripPlan {
  if (!plan) throw new DamagedImageError();
  return plan;
}

/** Where the data of scans ends. Without it, each is taken to end at the next marker, if it looks like it. */
type CodedScans = ReadonlyMap<number, CodedScan>;

/** Undefined if only decoding shows where the data of a scan ends. */
async function planPicture(file: ImageBytes, rights: KeptRights | undefined, coded?: CodedScans): Promise<StripPlan | undefined> {
  const plan = new PlanBuilder(rights);
  const claim = new GainMapClaim();
  let gainMap: GainMap | undefined;
  const write = (orientation: number) => plan.insertLater((kept) => metadataSegments(orientation, kept, gainMap));
  const visitor: Visitor = {
    async take(segment) {
      if (await claim.take(file, segment)) plan.insertLater((kept) => (gainMap ? gainMapSegments(gainMap, kept) : []));
      await takeMetadata(file, plan, segment, write);
    },
    // Rights that were in IPTC or XMP only.
    beforeFirstScan: () => plan.exif ?? write(1),
  };
  const walked = await walk(file, 0, plan, visitor, coded);
  if (!walked) return undefined;
  const { end, jpeg, coding } = walked;
  const places = claim.places.filter(({ from }) => from >= end);
  if (jpeg) gainMap = await findGainMap(file, places, jpeg);
  const whole = plan.finish();
  const isRisky = coded !== undefined;
  return { ...(gainMap ? withGainMap(whole, gainMap) : whole), isRisky, ...(jpeg && { jpeg }), ...(coding && { unshown: coding }) };
}

interface Visitor {
  /** Takes application data in front of the first scan, where decoders look for it, unless colours depend on it. */
  take(segment: JpegSegment): Promise<void>;
  beforeFirstScan?(): void;
}

interface Walked {
  /** Where the picture ends. */
  readonly end: number;
  readonly jpeg: JpegFacts | undefined;
  /** How the pixels are coded, if not as browsers can show them. */
  readonly coding: string | undefined;
}

/**
 * Walks the segments of a picture that begins at `start`, and keeps those that determine pixels and colours.
 * @returns undefined if only decoding shows where the data of a scan ends
 */
async function walk(file: ImageBytes, start: number, plan: PlanBuilder, visitor: Visitor, coded?: CodedScans): Promise<Walked | undefined> {
  plan.keep(start, start + SOI_LENGTH);
  const colours = new JpegColours();
  const tables = new JpegTables();
  const check = checkJpeg();
  let coding: string | undefined;
  let at = start + SOI_LENGTH;
  let scans = 0;
  for (;;) {
    at = await findMarker(file, at);
    const marker = (await file.at(at, 2)).readUInt8(1);
    if (marker === EOI || marker === SOS) await colours.profile.settle(file);
    if (marker === EOI) break;
    if (isBare(marker)) {
      check.take(marker, Buffer.alloc(0));
      at += 2;
      continue;
    }
    const end = at + 2 + (await segmentLength(file, at));
    const segment = { marker, from: at, to: end };
    const content = () => file.at(segment.from + 4, end - segment.from - 4);
    if (marker === SOS && scans === 0) visitor.beforeFirstScan?.();
    // Its scans aren't coded like those of others.
    if (marker === SOF55) throw new UnshownJpegError('JPEG-LS');
    if (isFrame(marker)) coding ??= codingOf(marker, await content());
    if (isFrame(marker) || marker === SOS) {
      check.take(marker, await content());
      if (marker === SOS) tables.takeScan(await content());
      else tables.takeFrame(await content(), marker === SOF2);
      plan.keep(at, end);
    } else if (TABLES.has(marker)) {
      const table = Buffer.from(await content());
      check.take(marker, table);
      plan.insertLater(tables.take(segment, table));
    } else {
      if (scans === 0 && !(await colours.take(file, plan, segment))) await visitor.take(segment);
      // Others than those aren't needed, but decoders may reject a file with them.
      if (!isApplicationData(marker)) check.take(marker, await content());
    }
    at = end;
    if (marker !== SOS) continue;
    scans++;
    const scan = coded?.get(end);
    if (scan?.isWhole) {
      for (const { from, to } of scan.ranges) plan.keep(from, to);
      at = scan.to;
      if (scan.isLast) break;
    } else {
      at = await findMarker(file, end, isInsideScan);
      if (!coded && !(await isEndOfScan(file, { from: end, to: at }, check.isComplete()))) return undefined;
      plan.keep(end, at);
    }
  }
  if (scans === 0) throw new DamagedImageError();
  const end = await requireEnd(file, at);
  plan.keep(end, end + EOI_BYTES.length);
  return { end: end + EOI_BYTES.length, jpeg: check.facts(), coding };
}

/** The first picture at these places that is a gain map, with as many pixels as the picture at most: browsers decode it, too. One that isn't sound is none. */
async function findGainMap(file: ImageBytes, places: readonly ByteRange[], picture: JpegFacts): Promise<GainMap | undefined> {
  for (const place of places) {
    try {
      if (!(await isJpeg(file, place.from))) continue;
      const found =
        (await planGainMap(file, place, picture)) ?? (await planGainMap(file, place, picture, await readCoded(file, place.from)));
      if (found?.description.isFound) return found;
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
    }
  }
  return undefined;
}

const isJpeg = async (file: ImageBytes, at: number) => (await file.at(at, SOI_LENGTH)).readUInt16BE() === 0xffd8;

/**
 * @returns undefined if only decoding shows where the data of a scan ends
 * @throws DamagedImageError
 */
async function planGainMap(
  file: ImageBytes,
  { from, to }: ByteRange,
  { width, height }: JpegFacts,
  coded?: CodedScans,
): Promise<GainMap | undefined> {
  const plan = new PlanBuilder();
  const description = new GainMapDescription();
  const take = async (segment: JpegSegment) => {
    const kept = await description.take(file, segment);
    if (kept) plan.insert(kept);
  };
  const walked = await walk(file, from, plan, { take }, coded);
  if (!walked) return undefined;
  const { end, jpeg } = walked;
  if (!jpeg || jpeg.width * jpeg.height > width * height || end > to) throw new DamagedImageError();
  const kept = plan.finish();
  return { pieces: kept.pieces, length: planLength(kept), description, index: emptyIndex() };
}

/**
 * Where the end-of-image marker is, behind the picture. Application data and tables may precede it.
 * @throws UnfinishedImageError if something else is there, or nothing
 */
async function requireEnd(file: ImageBytes, from: number): Promise<number> {
  const end = await findEnd(file, from).catch(endsTooSoon);
  if (end !== undefined) return end;
  throw new UnfinishedImageError([{ from: 0, to: from }, { bytes: EOI_BYTES }, { from, to: file.size }]);
}

async function findEnd(file: ImageBytes, from: number): Promise<number | undefined> {
  for (let at = from; ; ) {
    at = await findMarker(file, at);
    const marker = (await file.at(at, 2)).readUInt8(1);
    if (marker === EOI) return at;
    if (!isApplicationData(marker) && !TABLES.has(marker)) return undefined;
    at += 2 + (await segmentLength(file, at));
  }
}

/**
 * Whether the data of a scan seems to end at a marker. Text in front of it was hidden there; any other marker than those that follow scans
 * belongs to something that was appended.
 */
async function isEndOfScan(file: ImageBytes, { from, to }: ByteRange, isComplete: boolean): Promise<boolean> {
  const next = (await file.at(to, 2)).readUInt8(1);
  if (next !== EOI && (isComplete || (next !== SOS && !TABLES.has(next)))) return false;
  const tail = await file.at(Math.max(from, to - TAIL_BYTES), Math.min(TAIL_BYTES, to - from));
  return tail.at(-1) !== 0xff && !endsReadable(tail);
}

/** Whether the code after 0xff belongs to a scan's data: a zero, or a restart marker that no text is in front of. */
function isInsideScan(code: number, view: Buffer, at: number): boolean {
  return code === 0 || (isRestart(code) && !endsReadable(view.subarray(Math.max(0, at - TAIL_BYTES), at), LONG_TEXT));
}

/** How the pixels are coded, if not as browsers can show them. */
function codingOf(frame: number, content: Buffer): string | undefined {
  if (frame > SOF2) return frame === SOF3 ? 'lossless' : frame >= SOF9 && frame <= SOF11 ? 'arithmetic' : 'hierarchical';
  const [precision] = content;
  return precision === 8 ? undefined : `${precision}-bit`;
}

/** The application data on which colours depend. */
class JpegColours {
  readonly profile = new JpegProfile();
  #hasJfif = false;
  /** What stays of Adobe's segment: of the last one, as libjpeg reads them. */
  #adobe: readonly Piece[] | undefined;

  /** @returns whether the segment is among them */
  async take(file: ImageBytes, plan: PlanBuilder, segment: JpegSegment): Promise<boolean> {
    const { marker, from, to } = segment;
    const named = await namesOf(file, segment);
    if (marker === APP0 && named('JFIF\0')) this.#hasJfif ||= await takeJfif(file, plan, from, to);
    else if (marker === ICC_MARKER && named(ICC_NAME)) {
      if (await this.profile.take(file, segment)) plan.insertLater(() => this.profile.piecesAt(from));
    } else if (marker === APP14 && named('Adobe')) {
      if (to - from >= ADOBE_LENGTH) await this.#takeAdobe(file, plan, segment);
    } else return false;
    return true;
  }

  async #takeAdobe(file: ImageBytes, plan: PlanBuilder, { from, to }: JpegSegment): Promise<void> {
    if (!this.#adobe) plan.insertLater(() => this.#adobe ?? []);
    const head = await file.at(from, ADOBE_LENGTH);
    const usual = Buffer.concat([ADOBE_HEAD, head.subarray(-1)]);
    this.#adobe = to - from === ADOBE_LENGTH && usual.equals(head) ? [{ from, to }] : [{ bytes: usual }];
  }
}

/** @param write has metadata written in the place of EXIF */
async function takeMetadata(
  file: ImageBytes,
  plan: PlanBuilder,
  segment: JpegSegment,
  write: (orientation: number) => void,
): Promise<void> {
  const { marker, from, to } = segment;
  const named = await namesOf(file, segment);
  const content = { from: from + 4, to };
  if (marker === APP1 && named('Exif\0') && !plan.exif) {
    plan.exif = await readExif(file, { from: Math.min(from + 10, to), to });
    write(plan.exif.orientation);
  } else if (marker === APP1 && named(XMP_PREFIX)) await plan.note('xmp', () => readPacket(file, content));
  else if (marker === APP13) await plan.note('iptc', async () => iptcRights(await file.copy(content)));
}

/** A function that compares a name with the one that a segment begins with. */
async function namesOf(file: ImageBytes, { from, to }: JpegSegment): Promise<(name: string) => boolean> {
  const head = (await file.at(from, Math.min(to - from, 64))).toString('latin1');
  return (name) => head.startsWith(name, 4);
}

const isApplicationData = (marker: number) => marker === COM || (marker >= APP0 && marker <= APP15);

/** The beginning of a segment as a segment of its own. */
function withLength(head: Buffer): Buffer {
  const segment = Buffer.from(head);
  segment.writeUInt16BE(segment.length - 2, 2);
  return segment;
}

/** JFIF may have a thumbnail of raw pixels after its fixed part. @returns whether it is complete */
async function takeJfif(file: ImageBytes, plan: PlanBuilder, at: number, end: number): Promise<boolean> {
  if (end - at < JFIF_LENGTH) return false;
  const header = withLength(await file.at(at, JFIF_LENGTH));
  // The size of the thumbnail.
  header.writeUInt16BE(0, JFIF_LENGTH - 2);
  if (header.equals(await file.at(at, JFIF_LENGTH)) && end - at === JFIF_LENGTH) plan.keep(at, end);
  else plan.insert(header);
  return true;
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

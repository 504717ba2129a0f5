import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import { orientationOnlyExif, readExif } from '../exif.ts';
import { MAX_ICC_BYTES, reduceProfile } from '../icc/reduce.ts';
import { PlanBuilder, type StripPlan } from './plan.ts';

const SOI_LENGTH = 2;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const COM = 0xfe;

/** The fixed part of a JFIF header; what follows is a thumbnail. */
const JFIF_LENGTH = 18;

const ICC_MARKER = 0xe2;
const ICC_NAME = 'ICC_PROFILE\0';
/** Marker, length, name, number of the part and number of parts. */
const ICC_HEAD = 4 + ICC_NAME.length + 2;
const MAX_ICC_PART = 0xffff - (ICC_HEAD - 2);

/** What happens to the segments of the profile after the first. */
interface Progress {
  icc?: 'keep' | 'drop';
}

/**
 * Walks the segments of a JPEG (ITU-T T.81) up to the end-of-image marker. Keeps what determines pixels and colours:
 * tables, frames, scans, JFIF, the colours of the ICC profile, Adobe's colour transform. Removes EXIF, XMP, IPTC, Photoshop, comments, maker
 * data, thumbnails, and everything after the picture (other pictures, videos). Writes the orientation back.
 */
export async function planJpeg(file: ImageBytes): Promise<StripPlan> {
  const plan = new PlanBuilder();
  plan.keep(0, SOI_LENGTH);
  const progress: Progress = {};
  let at = SOI_LENGTH;
  let scans = 0;
  for (;;) {
    at = await findMarker(file, at);
    const marker = (await file.at(at, 2)).readUInt8(1);
    if (marker === EOI) break;
    if (isBare(marker)) {
      plan.keep(at, at + 2);
      at += 2;
      continue;
    }
    const end = at + 2 + (await segmentLength(file, at));
    await takeSegment(file, plan, progress, marker, at, end);
    at = end;
    if (marker === SOS) {
      scans++;
      at = await findMarker(file, end, isInsideScan);
      plan.keep(end, at);
    }
  }
  if (scans === 0) throw new DamagedImageError();
  plan.keep(at, at + 2);
  return plan.finish();
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

/** Any start of frame: 0xc0 to 0xcf except tables, JPEG's extension, and arithmetic conditioning. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** After precision, height and width: the number of components, and for each its id, its factors (four bits each) and its table. */
function samplesOfFrame(frame: Buffer): number {
  const components = frame[5] ?? 0;
  if (components === 0 || frame.length < 6 + 3 * components) throw new DamagedImageError();
  const factors = Array.from({ length: components }, (_, i) => frame.readUInt8(7 + 3 * i)).map((both) => [both >> 4, both & 15] as const);
  const [mostAcross, mostDown] = [Math.max(...factors.map(([across]) => across)), Math.max(...factors.map(([, down]) => down))];
  if (!mostAcross || !mostDown) throw new DamagedImageError();
  return factors.reduce((sum, [across, down]) => sum + across * down, 0) / (mostAcross * mostDown);
}

async function segmentLength(file: ImageBytes, at: number): Promise<number> {
  const length = (await file.at(at + 2, 2)).readUInt16BE();
  if (length < 2 || at + 2 + length > file.size) throw new DamagedImageError();
  return length;
}

async function takeSegment(
  file: ImageBytes,
  plan: PlanBuilder,
  progress: Progress,
  marker: number,
  at: number,
  end: number,
): Promise<void> {
  const isApplication = marker >= APP0 && marker <= 0xef;
  if (!isApplication && marker !== COM) {
    plan.keep(at, end);
    return;
  }
  const head = (await file.at(at, Math.min(end - at, 32))).toString('latin1');
  const named = (id: string) => head.startsWith(id, 4);
  if (marker === APP0 && named('JFIF\0')) await takeJfif(file, plan, at, end);
  else if (marker === APP1 && named('Exif\0') && !plan.exif) await replaceExif(file, plan, at, end);
  else if (marker === ICC_MARKER && named(ICC_NAME)) await takeProfile(file, plan, progress, at, end);
  else if (marker === 0xee && named('Adobe')) plan.keep(at, end);
}

/** The first segment of the profile decides: the reduced profile replaces it, and the others are dropped. */
async function takeProfile(file: ImageBytes, plan: PlanBuilder, progress: Progress, at: number, end: number): Promise<void> {
  if (!progress.icc) {
    const profile = await readProfile(file, at);
    const reduced = profile && reduceProfile(profile);
    progress.icc = profile && reduced?.equals(profile) ? 'keep' : 'drop';
    if (progress.icc === 'drop' && reduced) for (const part of profileSegments(reduced)) plan.insert(part);
  }
  if (progress.icc === 'keep') plan.keep(at, end);
}

/**
 * The profile from all its segments, in the order of their numbers. As in libvips, the announced number of segments is only
 * a hint, and of segments with the same number the first counts.
 */
async function readProfile(file: ImageBytes, from: number): Promise<Buffer | undefined> {
  const parts = new Map<number, ByteRange>();
  for (let at = from; ; ) {
    at = await findMarker(file, at);
    const marker = (await file.at(at, 2)).readUInt8(1);
    if (marker === EOI || marker === SOS) break;
    const end = isBare(marker) ? at + 2 : at + 2 + (await segmentLength(file, at));
    if (marker === ICC_MARKER && end - at >= ICC_HEAD) {
      const head = await file.at(at, ICC_HEAD);
      const number = head.readUInt8(ICC_HEAD - 2);
      if (head.toString('latin1', 4, ICC_HEAD - 2) === ICC_NAME && !parts.has(number)) parts.set(number, { from: at + ICC_HEAD, to: end });
    }
    at = end;
  }
  const ranges = [...parts].sort(([a], [b]) => a - b).map(([, range]) => range);
  if (ranges.reduce((sum, range) => sum + range.to - range.from, 0) > MAX_ICC_BYTES) return undefined;
  const contents: Buffer[] = [];
  for (const range of ranges) contents.push(await file.copy(range));
  return Buffer.concat(contents);
}

function profileSegments(profile: Buffer): Buffer[] {
  const count = Math.ceil(profile.length / MAX_ICC_PART);
  return Array.from({ length: count }, (_, i) => {
    const part = profile.subarray(i * MAX_ICC_PART, (i + 1) * MAX_ICC_PART);
    const head = Buffer.alloc(ICC_HEAD);
    head.writeUInt16BE(0xff00 | ICC_MARKER);
    head.writeUInt16BE(ICC_HEAD - 2 + part.length, 2);
    head.write(ICC_NAME, 4, 'latin1');
    head.writeUInt8(i + 1, ICC_HEAD - 2);
    head.writeUInt8(count, ICC_HEAD - 1);
    return Buffer.concat([head, part]);
  });
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

async function replaceExif(file: ImageBytes, plan: PlanBuilder, at: number, end: number): Promise<void> {
  plan.exif = { from: Math.min(at + 10, end), to: end };
  const { orientation } = await readExif(file, plan.exif);
  if (orientation === 1) return;
  const payload = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientationOnlyExif(orientation)]);
  plan.insert(Buffer.concat([Buffer.from([0xff, APP1, 0, payload.length + 2]), payload]));
}

/** Markers without a length: restart markers, TEM, and start of image. */
function isBare(marker: number): boolean {
  return isRestart(marker) || marker === 0x01 || marker === 0xd8;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

function isStuffing(code: number): boolean {
  return code === 0;
}

function isInsideScan(code: number): boolean {
  return code === 0 || isRestart(code);
}

/** The next 0xff that begins a marker. Skips fill bytes, stuffed zeros and bytes that decoders ignore between segments. */
async function findMarker(file: ImageBytes, from: number, skip = isStuffing): Promise<number> {
  for (let at = from; ; ) {
    const view = await file.some(at);
    const found = findInView(view, skip);
    if (found < view.length - 1) return at + found;
    // The last byte may be the first half of a marker. Reading both halves moves the view, or reaches the end of the file.
    at += found;
    if (view[found] === 0xff) await file.at(at, 2);
  }
}

/** The index of a marker in the view; the last index when the view ends within one, and the view's length without one. */
function findInView(view: Buffer, skip: (code: number) => boolean): number {
  let at = view.indexOf(0xff);
  while (at !== -1 && at + 1 < view.length) {
    const code = view[at + 1] ?? 0;
    if (code === 0xff) at += 1;
    else if (skip(code)) at = view.indexOf(0xff, at + 2);
    else return at;
  }
  return at === -1 ? view.length : at;
}

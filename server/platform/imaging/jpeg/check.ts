import type { ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import type { PictureHeader } from '../memory.ts';
import { DHT, DQT, DRI, headSegments, isFrame, SOS, samplesPerPixel, TABLES } from './segments.ts';

/** The frame of a JPEG that every decoder accepts. */
export type JpegFacts = PictureHeader;

/**
 * Follows the segments of a JPEG (ITU-T T.81), with a single scan or progressive, as a decoder does. All that decoders reject is in them: tables,
 * the frame, scans that don't match them. Faults in the coded pixels only show as blocks (decisions 045 and 099).
 */
export interface JpegCheck {
  /** Takes the next segment that decoders need. @param content without marker and length */
  take(marker: number, content: Buffer): void;
  /** Whether no further scan is needed, as in a JPEG that isn't progressive. */
  isComplete(): boolean;
  /** What the frame says, as soon as it has been taken; undefined if anything was unusual so far. */
  frame(): JpegFacts | undefined;
  /** The same once all scans have been taken. Undefined if anything was unusual, such as several scans of a JPEG that isn't progressive; only a decoder can say then whether the picture can be shown. */
  facts(): JpegFacts | undefined;
}

interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  readonly table: number;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: readonly Component[];
  readonly isProgressive: boolean;
}

/** Of a scan: what its header says. */
interface Scan {
  readonly parts: readonly { id: number; dc: number; ac: number }[];
  /** First and last coefficient. */
  readonly first: number;
  readonly last: number;
  /** The lowest bit of the previous scan of these coefficients, 0 for the first one, and that of this scan. */
  readonly highBit: number;
  readonly lowBit: number;
}

const SOF0 = 0xc0;
const SOF1 = 0xc1;
const SOF2 = 0xc2;

const COEFFICIENTS = 64;
/** Blocks of one unit of an interleaved scan. */
const MAX_UNIT_BLOCKS = 10;
/** Encoders write about ten; each takes time to decode, whatever its length. */
const MAX_SCANS = 30;
const MAX_LOW_BIT = 13;
/** The class of tables for coefficients but the first. */
const AC = 0x10;

/** Not necessarily a fault. */
class Unusual extends Error {}

function insist(condition: boolean): asserts condition {
  if (!condition) throw new Unusual();
}

export function checkJpeg(): JpegCheck {
  const quantisation = new Set<number>();
  /** Class and number, as in the segment: 0x00 to 0x03 for DC, 0x10 to 0x13 for AC. */
  const huffman = new Set<number>();
  let frame: Frame | undefined;
  let scans = 0;
  /** Components that have had a scan. */
  const started = new Set<number>();
  let isUsual = true;

  function takeScan(content: Buffer) {
    insist(frame !== undefined && ++scans <= (frame.isProgressive ? MAX_SCANS : 1));
    const { components, isProgressive } = frame;
    const scan = readScan(content);
    const used = scan.parts.map(({ id }) => components.findIndex((component) => component.id === id));
    // In the order of the frame, and each once (B.2.3): libjpeg rejects most others.
    insist(used.every((index, i) => index > (used[i - 1] ?? -1) && quantisation.has(components[index]?.table ?? -1)));
    if (isProgressive) requireProgressive(scan, components);
    else
      insist(used.length === components.length && scan.first === 0 && scan.last === COEFFICIENTS - 1 && scan.highBit + scan.lowBit === 0);
    insist(tablesOf(scan, isProgressive).every((table) => huffman.has(table)));
    for (const { id } of scan.parts) started.add(id);
  }

  function takeSegment(marker: number, content: Buffer) {
    switch (marker) {
      case DQT:
        return readQuantisation(content, quantisation);
      case DHT:
        return readHuffman(content, huffman);
      case SOF0:
      case SOF1:
      case SOF2:
        insist(frame === undefined);
        frame = readFrame(content, marker === SOF2);
        return;
      case DRI:
        return insist(content.length === 2);
      case SOS:
        return takeScan(content);
      default:
        throw new Unusual();
    }
  }

  function describeFrame(): JpegFacts | undefined {
    if (!isUsual || !frame) return undefined;
    const { width, height, components, isProgressive } = frame;
    const channels = components.length as 1 | 3;
    const samples = isProgressive ? { samples: samplesPerPixel(components) } : {};
    return { format: 'jpeg', width, height, channels, depth: 'uchar', isProgressive, hasAlpha: false, ...samples };
  }

  return {
    take(marker, content) {
      if (!isUsual) return;
      try {
        takeSegment(marker, content);
      } catch (error) {
        // Content that ends too early is a RangeError.
        if (!(error instanceof Unusual || error instanceof RangeError)) throw error;
        isUsual = false;
      }
    },
    isComplete: () => isUsual && frame !== undefined && !frame.isProgressive && scans > 0,
    frame: describeFrame,
    facts: () => (frame && started.size === frame.components.length ? describeFrame() : undefined),
  };
}

/** One or more tables: precision and number, then 64 values of one or two bytes. */
function readQuantisation(content: Buffer, known: Set<number>): void {
  for (let at = 0; at < content.length; ) {
    const [precision, number] = halves(content.readUInt8(at));
    insist(precision <= 1 && number <= 3);
    at += 1 + COEFFICIENTS * (1 + precision);
    insist(at <= content.length);
    known.add(number);
  }
}

/** One or more tables: class and number, how many codes there are of each length from 1 to 16, then their symbols. */
function readHuffman(content: Buffer, known: Set<number>): void {
  for (let at = 0; at < content.length; ) {
    const name = content.readUInt8(at);
    const [kind, number] = halves(name);
    insist(kind <= 1 && number <= 3);
    let [code, count] = [0, 0];
    for (let length = 1; length <= 16; length++) {
      const ofLength = content.readUInt8(at + length);
      code = (code + ofLength) * 2;
      count += ofLength;
      // No code may consist only of ones.
      insist(ofLength === 0 || code < 2 ** (length + 1));
    }
    const symbols = content.subarray(at + 17, at + 17 + count);
    insist(count <= 256 && symbols.length === count && (kind === 1 || symbols.every((symbol) => symbol <= 15)));
    at += 17 + count;
    known.add(name);
  }
}

function readFrame(content: Buffer, isProgressive: boolean): Frame {
  const [height, width, count] = [content.readUInt16BE(1), content.readUInt16BE(3), content.readUInt8(5)];
  insist(content.readUInt8(0) === 8 && height > 0 && width > 0 && (count === 1 || count === 3) && content.length === 6 + 3 * count);
  const components = Array.from({ length: count }, (_, i): Component => {
    const [across, down] = halves(content.readUInt8(7 + 3 * i));
    const [id, table] = [content.readUInt8(6 + 3 * i), content.readUInt8(8 + 3 * i)];
    insist([across, down].every((factor) => factor >= 1 && factor <= 4) && table <= 3);
    return { id, across, down, table };
  });
  insist(new Set(components.map(({ id }) => id)).size === count);
  const [mostAcross, mostDown] = [Math.max(...components.map(({ across }) => across)), Math.max(...components.map(({ down }) => down))];
  insist(components.every(({ across, down }) => mostAcross % across === 0 && mostDown % down === 0));
  insist(count === 1 || components.reduce((sum, { across, down }) => sum + across * down, 0) <= MAX_UNIT_BLOCKS);
  return { width, height, components, isProgressive };
}

function readScan(content: Buffer): Scan {
  const count = content.readUInt8(0);
  insist(count > 0 && content.length === 4 + 2 * count);
  const parts = Array.from({ length: count }, (_, i) => {
    const [dc, ac] = halves(content.readUInt8(2 + 2 * i));
    return { id: content.readUInt8(1 + 2 * i), dc, ac };
  });
  const [highBit, lowBit] = halves(content.readUInt8(3 + 2 * count));
  return { parts, first: content.readUInt8(1 + 2 * count), last: content.readUInt8(2 + 2 * count), highBit, lowBit };
}

/** T.81, G.1.1.1.1: the first coefficients alone, of any components; others of one component; one bit more with each scan. */
function requireProgressive({ parts, first, last, highBit, lowBit }: Scan, components: readonly Component[]): void {
  insist(first === 0 ? last === 0 : parts.length === 1 && first <= last && last < COEFFICIENTS);
  insist(lowBit <= MAX_LOW_BIT && (highBit === 0 || highBit === lowBit + 1));
  const used = components.filter(({ id }) => parts.some((part) => part.id === id));
  insist(used.length === 1 || used.reduce((sum, { across, down }) => sum + across * down, 0) <= MAX_UNIT_BLOCKS);
}

/** The Huffman tables that a scan uses. */
function tablesOf({ parts, first, highBit }: Scan, isProgressive: boolean): number[] {
  if (!isProgressive) return parts.flatMap(({ dc, ac }) => [dc, AC + ac]);
  if (first > 0) return parts.map(({ ac }) => AC + ac);
  // A further bit of the first coefficient is written as it is.
  return highBit === 0 ? parts.map(({ dc }) => dc) : [];
}

const halves = (byte: number) => [byte >> 4, byte & 15] as const;

/**
 * What the frame of a JPEG says; undefined if it is unusual, so that only a decoder can tell.
 * @throws DamagedImageError if the file ends before it
 */
export async function readJpegFrame(file: ImageBytes): Promise<JpegFacts | undefined> {
  const check = checkJpeg();
  for await (const { marker, from, to } of headSegments(file))
    if (isFrame(marker) || TABLES.has(marker)) check.take(marker, await file.at(from + 4, to - from - 4));
  return check.frame();
}

/**
 * Samples per pixel, from the sampling factors in the frame's header: 3 for 4:4:4, 1.5 for 4:2:0.
 * @throws DamagedImageError without a frame
 */
export async function jpegSamples(file: ImageBytes): Promise<number> {
  for await (const { marker, from, to } of headSegments(file))
    if (isFrame(marker)) return samplesOfFrame(await file.at(from + 4, to - from - 4));
  throw new DamagedImageError();
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

import type { PictureHeader } from './memory.ts';

/** The frame of a JPEG that every decoder accepts. */
export type JpegFacts = Omit<PictureHeader, 'autoOrient'>;

/**
 * Follows the segments of a JPEG (ITU-T T.81) with a single scan as a decoder does. All that decoders reject is in them: tables, the frame, a scan
 * that doesn't match them. Faults in the coded pixels only show as blocks (decision 045).
 */
export interface JpegCheck {
  /** Takes the next segment but for application data and comments. @param content without marker and length */
  take(marker: number, content: Buffer): void;
  /** Undefined if anything was unusual, such as several scans; only a decoder can say then whether the picture can be shown. */
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
}

const SOF0 = 0xc0;
const SOF1 = 0xc1;
const DHT = 0xc4;
const SOS = 0xda;
const DQT = 0xdb;
const DRI = 0xdd;

const COEFFICIENTS = 64;
/** Blocks of one unit of an interleaved scan. */
const MAX_UNIT_BLOCKS = 10;

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
  let isUsual = true;

  function takeSegment(marker: number, content: Buffer) {
    switch (marker) {
      case DQT:
        return readQuantisation(content, quantisation);
      case DHT:
        return readHuffman(content, huffman);
      case SOF0:
      case SOF1:
        insist(frame === undefined);
        frame = readFrame(content);
        return;
      case DRI:
        return insist(content.length === 2);
      case SOS:
        insist(frame !== undefined && ++scans === 1 && frame.components.every(({ table }) => quantisation.has(table)));
        return insist(tablesOfScan(content, frame).every((table) => huffman.has(table)));
      default:
        throw new Unusual();
    }
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
    facts() {
      if (!isUsual || !frame || scans === 0) return undefined;
      const { width, height, components } = frame;
      const channels = components.length as 1 | 3;
      return { format: 'jpeg', width, height, channels, depth: 'uchar', isProgressive: false, hasAlpha: false };
    },
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
      // No code may have only ones.
      insist(ofLength === 0 || code < 2 ** (length + 1));
    }
    const symbols = content.subarray(at + 17, at + 17 + count);
    insist(count <= 256 && symbols.length === count && (kind === 1 || symbols.every((symbol) => symbol <= 15)));
    at += 17 + count;
    known.add(name);
  }
}

function readFrame(content: Buffer): Frame {
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
  return { width, height, components };
}

/** The Huffman tables of a scan, which must have all components and coefficients. */
function tablesOfScan(content: Buffer, { components }: Frame): number[] {
  const count = content.readUInt8(0);
  insist(count === components.length && content.length === 4 + 2 * count);
  const parts = Array.from({ length: count }, (_, i) => ({ id: content.readUInt8(1 + 2 * i), tables: content.readUInt8(2 + 2 * i) }));
  insist(components.every((component) => parts.some(({ id }) => id === component.id)));
  const [first, last, shifts] = [content.readUInt8(1 + 2 * count), content.readUInt8(2 + 2 * count), content.readUInt8(3 + 2 * count)];
  insist(first === 0 && last === COEFFICIENTS - 1 && shifts === 0);
  return parts.map(({ tables }) => halves(tables)).flatMap(([dc, ac]) => [dc, 0x10 + ac]);
}

const halves = (byte: number) => [byte >> 4, byte & 15] as const;

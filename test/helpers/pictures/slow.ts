import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { XMP_PREFIX } from '#server/platform/imaging/metadata/xmp.ts';
import type { SniffedFormat, VideoFormat } from '#server/platform/imaging/types.ts';
import { bitmap } from './bitmaps.ts';
import { bundledProfile, profileOf } from './icc.ts';
import { avif, gif, photoJpeg, png, tiff, webp } from './images.ts';
import { isoBox, jpegSegment, pngChunk, webpChunk } from './private-metadata.ts';

/** Pictures of one format that take long to read for their size. */
export interface SlowFormat {
  /** What repeats, by what is unusual about it, up to a number of bytes. */
  readonly parts: Readonly<Record<string, (bytes: number) => Buffer>>;
  /** A picture around one of these parts, or around several. */
  wrap(part: Buffer): Buffer;
}

const text = (value: string) => Buffer.from(value, 'latin1');
const fill = (piece: Buffer) => (bytes: number) => Buffer.alloc(Math.max(1, Math.floor(bytes / piece.length)) * piece.length, piece);
/** Numbered pieces, each different from the others. */
const series = (piece: (index: number) => Buffer) => (bytes: number) => {
  const pieces: Buffer[] = [];
  for (let [index, length] = [0, 0]; length < bytes; index++) length += (pieces[pieces.push(piece(index)) - 1] as Buffer).length;
  return Buffer.concat(pieces);
};
const numbers = (width: number, ...values: number[]) => {
  const list = Buffer.alloc(width * values.length);
  for (const [i, value] of values.entries()) list.writeUIntBE(value, width * i, width);
  return list;
};

const PACKET = `<dc:creator>${'<rdf:li>\u00e9</rdf:li>'.repeat(200)}</dc:creator><dc:rights>${'<rdf:li>&amp;</rdf:li>'.repeat(200)}</dc:rights>`;
/** Neither UTF-8 nor short: every reader tries both encodings. */
const LATIN = Buffer.alloc(200 * 1024, '\xe9 ', 'latin1');

const svg: SlowFormat = {
  wrap: (part) => (/^<(?:!|\?)/.test(part.toString('latin1', 0, 2)) ? part : Buffer.concat([text('<svg'), part])),
  parts: {
    'spaces in a document type': (bytes) => Buffer.concat([text('<!DOCTYPE'), fill(text(' '))(bytes)]),
    'an open quotation': (bytes) => Buffer.concat([text('<!DOCTYPE svg "'), fill(text("' "))(bytes)]),
    comments: fill(text('<!---->')),
    instructions: fill(text('<?a?>')),
    attributes: series((index) => text(` a${index}="b"`)),
    'a name without a value': fill(text(' a')),
    groups: (bytes) => Buffer.concat([text(' xmlns="http://www.w3.org/2000/svg">'), fill(text('<g>'))(bytes)]),
  },
};

async function jpeg(): Promise<SlowFormat> {
  const plain = await photoJpeg({ width: 16, height: 16 });
  const profile = jpegSegment(0xe2, text('ICC_PROFILE\0\x01\x01'));
  const datasets = Buffer.concat([text('8BIM\x04\x04\0\0\0\0\xff\xf0'), fill(text('\x1c\x02\x50\0\x01\xe9'))(65_000)]);
  return {
    wrap: (part) => Buffer.concat([plain.subarray(0, 2), part, plain.subarray(2)]),
    parts: {
      'markers without a length': fill(Buffer.of(0xff, 1)),
      'fill bytes': fill(Buffer.of(0xff)),
      'stuffed zeros': fill(Buffer.of(0xff, 0)),
      'empty segments': fill(jpegSegment(0xeb, Buffer.alloc(0))),
      comments: fill(jpegSegment(0xfe, Buffer.alloc(1))),
      'Huffman tables': fill(jpegSegment(0xc4, fill(Buffer.alloc(17))(65_000))),
      'quantisation tables': fill(jpegSegment(0xdb, fill(Buffer.alloc(65))(65_000))),
      'XMP packets': fill(jpegSegment(0xe1, text(XMP_PREFIX + PACKET))),
      'short XMP packets': fill(jpegSegment(0xe1, text(`${XMP_PREFIX}\xe9`))),
      'IPTC datasets': fill(jpegSegment(0xed, Buffer.concat([text('Photoshop 3.0\0'), datasets]))),
      'EXIF blocks': fill(jpegSegment(0xe1, text('Exif\0\0MM\0*\0\0\0\x08\0\0'))),
      'parts of a profile': series((index) => Buffer.concat([profile.subarray(0, -2), Buffer.of(index % 256, 255)])),
      'scans of empty blocks': emptyScans,
      'scans of many parts': crowdedScans,
      scans: (bytes) => Buffer.concat([plain.subarray(2, -2), fill(jpegSegment(0xda, Buffer.of(1, 1, 0, 0, 63, 0)))(bytes)]),
    },
  };
}

/** A progressive JPEG of 256 million pixels in scans of 250 bytes that refine all blocks, each of which is empty. A text behind them is a reason for following them. */
function emptyScans(bytes: number): Buffer {
  // A code of one bit, and 14 bits of how many blocks are empty.
  const bits = `0${'1'.repeat(14)}`.repeat(125);
  const data = (bits.match(/.{1,8}/g) ?? []).flatMap((byte) => {
    const value = Number.parseInt(byte.padEnd(8, '1'), 2);
    return value === 0xff ? [value, 0] : [value];
  });
  const frame = jpegSegment(0xc2, Buffer.of(8, 0x3e, 0x80, 0x3e, 0x80, 1, 1, 0x11, 0));
  const table = jpegSegment(0xc4, Buffer.of(0x10, 1, ...new Array<number>(15).fill(0), 0xe0));
  const scan = Buffer.concat([jpegSegment(0xda, Buffer.of(1, 1, 0, 1, 63, 0x10)), Buffer.from(data), text('hidden')]);
  return Buffer.concat([frame, table, fill(scan)(bytes)]);
}

/** A JPEG of one block in scans that have it 255 times, each time with long tables. */
function crowdedScans(bytes: number): Buffer {
  const frame = jpegSegment(0xc2, Buffer.of(8, 0, 8, 0, 8, 1, 1, 0x11, 0));
  const codes = [1, ...new Array<number>(15).fill(255), ...new Array<number>(1 + 15 * 255).fill(0)];
  const tables = jpegSegment(0xc4, Buffer.of(0, ...codes, 0x10, ...codes));
  const parts = new Array<number[]>(255).fill([1, 0]).flat();
  const scan = Buffer.concat([jpegSegment(0xda, Buffer.of(255, ...parts, 0, 0, 0)), Buffer.alloc(31), Buffer.of(1), text('hidden')]);
  return Buffer.concat([frame, tables, fill(scan)(bytes)]);
}

async function pngs(): Promise<SlowFormat> {
  const plain = await png({ width: 16, height: 16 });
  const authored = Buffer.concat([text('Author\0\0'), deflateSync(LATIN)]);
  return {
    wrap: (part) => Buffer.concat([plain.subarray(0, 33), part, plain.subarray(33)]),
    parts: {
      'empty chunks': fill(pngChunk('prVt', Buffer.alloc(0))),
      'empty pixels': fill(pngChunk('IDAT', Buffer.alloc(0))),
      'single bytes of pixels': fill(pngChunk('IDAT', Buffer.of(0x78))),
      'controls of frames': fill(pngChunk('fcTL', Buffer.alloc(26))),
      'short texts': fill(pngChunk('tEXt', text('Author\0\xe9'))),
      'long texts': fill(pngChunk('tEXt', Buffer.concat([text('Author\0'), LATIN]))),
      'compressed texts': fill(pngChunk('zTXt', authored)),
      'XMP packets': fill(pngChunk('iTXt', text(`XML:com.adobe.xmp\0\0\0\0\0${PACKET.repeat(20)}`))),
      'frames that expand': expandingFrames,
      'compressed profiles': fill(pngChunk('iCCP', Buffer.concat([text('icc\0\0'), deflateSync(Buffer.alloc(4_000_000))]))),
    },
  };
}

/** Frames of 16,000 × 16,000 zeros, a gigabyte each that takes less than one. A text behind the data is a reason for following it. */
function expandingFrames(bytes: number): Buffer {
  const zeros = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_SYNC_FLUSH });
  const frames = Array.from({ length: Math.ceil(bytes / 900_000) }, (_, i) => {
    const control = Buffer.concat([numbers(4, 2 * i, 16_000, 16_000, 0, 0), Buffer.alloc(6)]);
    const data = Buffer.concat([numbers(4, 2 * i + 1), Buffer.of(0x78, 0x9c), fill(zeros)(Math.min(bytes, 900_000)), text('hidden')]);
    return [pngChunk('fcTL', control), pngChunk('fdAT', data)];
  }).flat();
  const picture = pngChunk('IDAT', deflateSync(Buffer.alloc(16 * (1 + 3 * 16))));
  return Buffer.concat([pngChunk('acTL', numbers(4, frames.length / 2, 0)), picture, ...frames]);
}

async function gifs(): Promise<SlowFormat> {
  const plain = await gif({ width: 16, height: 16 });
  const start = 13 + 3 * 2 ** (((plain[10] ?? 0) & 7) + 1);
  const frame = Buffer.of(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0);
  const profile = text('!\xff\x0bICCRGBG1012');
  return {
    wrap: (part) => Buffer.concat([plain.subarray(0, start), part, plain.subarray(start)]),
    parts: {
      'empty comments': fill(Buffer.of(0x21, 0xfe, 0)),
      'a comment in single bytes': (bytes) => Buffer.concat([Buffer.of(0x21, 0xfe), fill(Buffer.of(1, 0x20))(bytes), Buffer.of(0)]),
      'a profile in single bytes': (bytes) =>
        Buffer.concat([
          profile,
          fill(Buffer.of(1, 0x20))(Math.min(bytes, 4_190_000)),
          Buffer.of(0),
          fill(Buffer.of(0x21, 0xfe, 0))(bytes / 2),
        ]),
      'empty profiles': fill(Buffer.concat([profile, Buffer.of(0)])),
      'controls of frames': fill(Buffer.of(0x21, 0xf9, 4, 0, 1, 0, 0, 0)),
      frames: fill(frame),
    },
  };
}

async function webps(): Promise<SlowFormat> {
  const plain = await webp({ width: 16, height: 16 });
  const sizes = Buffer.of(0, 0, 0, 0, 15, 0, 0, 15, 0, 0);
  const chunks = (type: string, data: Buffer) => fill(webpChunk(type, data));
  return {
    wrap: (part) => {
      const file = Buffer.concat([plain.subarray(0, 12), webpChunk('VP8X', Buffer.concat([sizes])), plain.subarray(12), part]);
      file.writeUInt32LE(file.length - 8, 4);
      return file;
    },
    parts: {
      'empty chunks': chunks('prVt', Buffer.alloc(0)),
      'alpha channels': chunks('ALPH', Buffer.alloc(0)),
      'empty EXIF': chunks('EXIF', Buffer.alloc(0)),
      'XMP packets': chunks('XMP ', text(PACKET)),
      'long XMP packets': chunks('XMP ', LATIN),
      'short XMP packets': chunks('XMP ', text('\xe9')),
      frames: chunks('ANMF', Buffer.concat([Buffer.alloc(16), plain.subarray(12)])),
      'chunks in a frame': (bytes) =>
        webpChunk('ANMF', Buffer.concat([Buffer.alloc(16), chunks('prVt', Buffer.alloc(0))(bytes), plain.subarray(12)])),
    },
  };
}

/** Boxes behind the picture. */
async function avifs(): Promise<SlowFormat> {
  const plain = await avif({ width: 16, height: 16 });
  const boxes = (type: string, ...contents: Buffer[]) => fill(isoBox(type, ...contents));
  const track = (inside: Buffer) => isoBox('trak', isoBox('mdia', isoBox('minf', isoBox('stbl', inside))));
  const tables = (bytes: number) => {
    const chunks = Math.min(50_000, Math.floor(bytes / 8));
    const offsets = Array.from({ length: chunks }, (_, i) => (i % 2 ? 100 + i : 90_000 - i));
    return Buffer.concat([
      isoBox('stsz', numbers(4, 0, 0, chunks, ...new Array<number>(chunks).fill(1))),
      isoBox('stsc', numbers(4, 0, 1, 1, 1, 1)),
      isoBox('stco', numbers(4, 0, chunks, ...offsets)),
    ]);
  };
  return {
    wrap: (part) => Buffer.concat([plain, part]),
    parts: {
      'free space': boxes('free'),
      'data in boxes': boxes('mdat', Buffer.alloc(1)),
      'boxes of a movie': (bytes) => isoBox('moov', fill(isoBox('udta', Buffer.alloc(1)))(bytes)),
      'tracks of a movie': (bytes) => isoBox('moov', fill(track(fill(isoBox('free'))(4_000)))(bytes)),
      'headers of a movie': (bytes) => isoBox('moov', fill(isoBox('mvhd', Buffer.alloc(20)))(bytes)),
      'samples out of order': (bytes) => Buffer.concat([isoBox('moov', track(tables(bytes))), isoBox('mdat', Buffer.alloc(100_000))]),
    },
  };
}

/** Where the data of the items below begins. */
const DATA_AT = 28;
const DATA_BYTES = 256 * 1024;
const MAX_ITEMS = 9_999;

/** Boxes in the table of contents. */
const heic: SlowFormat = {
  wrap: (part) => {
    const data = Buffer.alloc(DATA_BYTES);
    data.write(PACKET, 'latin1');
    LATIN.copy(data, PACKET.length);
    const start = isoBox('ftyp', text('heic\0\0\0\0heic'));
    return Buffer.concat([start, isoBox('mdat', data), isoBox('meta', numbers(4, 0), isoBox('pitm', numbers(2, 0, 0, 1)), part)]);
  },
  parts: {
    'items with the same XMP': (bytes) => items(bytes, 'mime', { each: () => [[DATA_AT, DATA_BYTES]] }),
    'items with almost the same XMP': (bytes) => items(bytes, 'mime', { each: (index) => [[DATA_AT + index, DATA_BYTES - index]] }),
    'distant grids': (bytes) => items(bytes, 'grid', { each: (index) => [[index % 2 ? DATA_AT : DATA_AT + DATA_BYTES - 16, 16]] }),
    'items with the same number': (bytes) => {
      const extents = Array.from({ length: Math.min(50_000, Math.floor(bytes / 16)) }, (_, i): Extent => [DATA_AT + 2 * i, 1]);
      return items(bytes / 2, 'Exif', { each: (index) => (index === 0 ? extents : []), id: () => 2 });
    },
    'tiles of a grid': tiles,
    'alpha channels': (bytes) => {
      const channels = numbers(4, 0, 1);
      const properties = Buffer.concat([numbers(2, 2), Buffer.of(255), fill(Buffer.of(1))(255)]);
      const auxiliary = isoBox('auxC', numbers(4, 0), text('urn:other\0'));
      return Buffer.concat([
        isoBox('iprp', isoBox('ipco', auxiliary), isoBox('ipma', channels, properties)),
        isoBox('iref', numbers(4, 0), fill(isoBox('auxl', numbers(2, 2, 1, 1)))(Math.min(bytes, 139_000))),
      ]);
    },
    locations: (bytes) =>
      located(
        Math.min(65_535, Math.floor(bytes / 6)),
        () => [],
        (index) => index,
      ),
    associations: (bytes) =>
      isoBox('iprp', isoBox('ipco'), isoBox('ipma', numbers(4, 0, Math.floor(bytes / 3)), fill(Buffer.of(0, 1, 0))(bytes))),
    references: (bytes) =>
      isoBox('iref', numbers(4, 0), fill(isoBox('thmb', numbers(2, 1, 50_000, ...new Array<number>(50_000).fill(1))))(bytes)),
    'short references': (bytes) => isoBox('iref', numbers(4, 0), fill(isoBox('thmb', numbers(2, 1, 1, 2)))(Math.min(bytes, 139_000))),
    sizes: (bytes) => isoBox('iprp', isoBox('ipco', fill(isoBox('ispe', numbers(4, 0, 9, 9)))(Math.min(bytes, 199_000)))),
    profiles: (bytes) => isoBox('iprp', isoBox('ipco', fill(isoBox('colr', text('prof')))(Math.min(bytes, 119_000)))),
    'empty boxes': fill(isoBox('free')),
  },
};

/** A picture of as many tiles as a table may list, the last of which are none of its items. */
function tiles(bytes: number): Buffer {
  const count = Math.min(MAX_ITEMS - 1, Math.floor(bytes / 25));
  const entry = (id: number, type: string) => isoBox('infe', Buffer.of(2, 0, 0, 0), numbers(2, id, 0), text(`${type}\0`));
  const entries = [entry(1, 'grid'), ...Array.from({ length: count }, (_, i) => entry(i + 2, 'hvc1'))];
  const [columns, rows] = [245, 200];
  const ids = Array.from({ length: columns * rows }, (_, i) => 65_535 - i);
  // In a box of its own, whose content items may refer to.
  const grid = isoBox('idat', Buffer.of(0, 0, rows - 1, columns - 1), numbers(2, 4_000, 4_000));
  const location = isoBox('iloc', Buffer.of(1, 0, 0, 0), numbers(2, 0x4400, 1, 1, 1, 0, 1), numbers(4, 0, 8));
  const references = isoBox('iref', numbers(4, 0), isoBox('dimg', numbers(2, 1, ids.length, ...ids)));
  return Buffer.concat([isoBox('iinf', numbers(4, 0), numbers(2, entries.length), ...entries), grid, location, references]);
}

type Extent = [from: number, length: number];

/** Items of a type, with the extents of each. */
function items(
  bytes: number,
  type: string,
  { each, id = (index) => index + 2 }: { each(index: number): Extent[]; id?(index: number): number },
): Buffer {
  const count = Math.min(MAX_ITEMS, Math.max(1, Math.floor(bytes / 40)));
  const entry = (index: number) => isoBox('infe', Buffer.of(2, 0, 0, 0), numbers(2, id(index), 0), text(`${type}\0`));
  const entries = Array.from({ length: count }, (_, index) => entry(index));
  return Buffer.concat([isoBox('iinf', numbers(4, 0), numbers(2, count), ...entries), located(count, each, id)]);
}

function located(count: number, each: (index: number) => Extent[], id: (index: number) => number): Buffer {
  const places = Array.from({ length: count }, (_, index) => {
    const extents = each(index);
    return Buffer.concat([numbers(2, id(index), 0, extents.length), numbers(4, ...extents.flat())]);
  });
  return isoBox('iloc', numbers(4, 0), numbers(2, 0x4400, count), ...places);
}

async function tiffs(): Promise<SlowFormat> {
  const plain = await tiff({ width: 16, height: 16 });
  const entry = (tag: number, type: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(64, 4);
    bytes.writeUInt32LE(8, 8);
    return bytes;
  };
  const directory = (filled: Buffer) => {
    const count = Math.min(65_535, filled.length / 12);
    return Buffer.concat([Buffer.of(count & 255, count >> 8), filled.subarray(0, count * 12), Buffer.alloc(4)]);
  };
  return {
    wrap: (part) => Buffer.concat([plain.subarray(0, 4), Buffer.of(8, 0, 0, 0), part, plain]),
    parts: {
      texts: (bytes) => directory(fill(entry(0x9003, 2))(bytes)),
      directories: (bytes) => directory(fill(entry(0x8769, 4))(bytes)),
      'a directory that follows itself': (bytes) => Buffer.concat([Buffer.of(0, 0, 8, 0, 0, 0), Buffer.alloc(bytes)]),
      zeros: (bytes) => Buffer.alloc(bytes),
    },
  };
}

function bmp(): SlowFormat {
  const plain = bitmap({ bits: 8, runs: true });
  const at = plain.readUInt32LE(10);
  return {
    wrap: (part) => Buffer.concat([plain.subarray(0, at), part, plain.subarray(at)]),
    parts: {
      'runs without pixels': fill(Buffer.of(0, 2, 0, 0)),
      'ends of rows': fill(Buffer.of(0, 0)),
      'single pixels': fill(Buffer.of(1, 1)),
    },
  };
}

/** A profile of 4 MB whose tags share their data. */
async function slowProfile(): Promise<Buffer> {
  const p3 = await bundledProfile('p3');
  const curve = Buffer.alloc(4_100_000, 1);
  curve.write('mAB \0\0\0\0', 'latin1');
  const names = [...'rgb'].flatMap((channel) => [`${channel}XYZ`, `${channel}TRC`]);
  for (const first of ['A2B', 'B2A', 'D2B', 'B2D', 'B2B', 'D2A']) for (const last of '0123') names.push(first + last);
  const whole = profileOf(p3, [{ name: 'kTRC', data: curve }, ...names.map((name) => ({ name, data: Buffer.alloc(4) }))]);
  const [from, length] = [whole.readUInt32BE(132 + 4), whole.readUInt32BE(132 + 8)];
  for (let i = 1; i <= names.length; i++) {
    whole.writeUInt32BE(from, 132 + 12 * i + 4);
    whole.writeUInt32BE(length - i, 132 + 12 * i + 8);
  }
  return whole;
}

/** For each format, pictures that take long to read. */
export async function slowFormats(): Promise<Record<Exclude<SniffedFormat, 'heif' | VideoFormat>, SlowFormat>> {
  const profile = await slowProfile();
  const [jpegFormat, pngFormat, gifFormat, webpFormat, avifFormat] = await Promise.all([jpeg(), pngs(), gifs(), webps(), avifs()]);
  const withProfile = (format: SlowFormat, make: () => Buffer): SlowFormat => ({
    ...format,
    parts: { ...format.parts, 'a large profile': make },
  });
  return {
    svg,
    jpeg: jpegFormat,
    png: withProfile(pngFormat, () => pngChunk('iCCP', Buffer.concat([text('icc\0\0'), deflateSync(profile)]))),
    gif: gifFormat,
    webp: withProfile(webpFormat, () => webpChunk('ICCP', profile)),
    avif: avifFormat,
    heic: withProfile(heic, () => isoBox('iprp', isoBox('ipco', isoBox('colr', text('prof'), profile.subarray(0, 4_000_000))))),
    tiff: await tiffs(),
    bmp: bmp(),
  };
}

import { deflateSync } from 'node:zlib';
import { pick, type Random } from '#test/helpers/random.ts';
import { longs, shorts } from './heif-layouts.ts';
import { isoBox, jpegSegment, pngChunk, webpChunk } from './private-metadata.ts';

/** Puts bytes into a picture where no decoder reads them. Undefined: this picture has no such place. */
export type Planter = (file: Buffer, secret: Buffer, random: Random) => Buffer | undefined;

const joined = (...parts: (Buffer | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as Buffer)));
const insertedAt = (file: Buffer, at: number, ...parts: Buffer[]) => Buffer.concat([file.subarray(0, at), ...parts, file.subarray(at)]);

/** Where the segments of a JPEG are up to its first scan's data, with that of the end-of-image marker. */
function jpegParts(file: Buffer) {
  const segments: { marker: number; from: number; to: number }[] = [];
  for (let at = 2; ; ) {
    while (file.readUInt8(at) !== 0xff) at++;
    const marker = file.readUInt8(at + 1);
    const to = at + 2 + file.readUInt16BE(at + 2);
    segments.push({ marker, from: at, to });
    at = to;
    if (marker === 0xda) return { segments, data: at, end: file.lastIndexOf(Buffer.of(0xff, 0xd9)) };
  }
}

const inHead = (file: Buffer, random: Random) => pick(random, jpegParts(file).segments).from;
const segmentIn =
  (marker: number, prefix: string | Buffer = ''): Planter =>
  (file, secret, random) =>
    insertedAt(file, inHead(file, random), jpegSegment(marker, joined(Buffer.from(prefix as string, 'latin1'), secret)));
/** A segment of this kind with the secret behind its content. */
const longer =
  (marker: number, content: string): Planter =>
  (file, secret) => {
    const own = jpegParts(file).segments.find((segment) => segment.marker === marker && segment.to - segment.from >= 4 + content.length);
    const [from, to] = own ? [own.from, own.to] : [2, 2];
    const kept = own ? file.subarray(from + 4, to) : Buffer.from(content, 'latin1');
    return joined(file.subarray(0, from), jpegSegment(marker, joined(kept, secret)), file.subarray(to));
  };

/** The tables of the standard (K.1), which some decoder would need, were they used. */
const quantisation = (number: number, secret: Buffer) => joined([number], Buffer.concat([secret, Buffer.alloc(64, 1)], 64));
const huffman = (name: number, secret: Buffer) => joined([name], Buffer.concat([Buffer.of(0, 0, 0, 0, 0, 0, secret.length)], 16), secret);

const JPEG: Record<string, Planter> = {
  'JFIF’s thumbnail': longer(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
  'a second JFIF header': segmentIn(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
  'JFIF’s extension': segmentIn(0xe0, 'JFXX\0\x10'),
  // The first one counts.
  'a second EXIF': (file, secret) => {
    const scan = jpegParts(file).segments.at(-1)?.from ?? 0;
    return insertedAt(file, scan, jpegSegment(0xe1, joined(Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0', 'latin1'), secret)));
  },
  XMP: segmentIn(0xe1, 'http://ns.adobe.com/xap/1.0/\0'),
  'a part of a profile': segmentIn(0xe2, 'ICC_PROFILE\0\x07\x09'),
  'application data': (file, secret, random) => segmentIn(0xe0 + random(16))(file, secret, random),
  'the tail of Adobe’s segment': longer(0xee, 'Adobe\0d\0\0\0\0\x01'),
  'a short Adobe segment': (file, secret, random) => segmentIn(0xee, 'Adobe')(file, secret.subarray(0, 6), random),
  'a comment': segmentIn(0xfe),
  'a reserved marker': (file, secret, random) =>
    segmentIn(pick(random, [0x02, 0x4f, 0xbf, 0xc8, 0xcc, 0xdc, 0xde, 0xdf, 0xf0, 0xf8, 0xfd]))(file, secret, random),
  'bytes between segments': (file, secret, random) => insertedAt(file, inHead(file, random), secret),
  'a quantisation table that no scan uses': (file, secret, random) =>
    insertedAt(file, inHead(file, random), jpegSegment(0xdb, quantisation(3, secret))),
  'a quantisation table that another replaces': (file, secret) => insertedAt(file, 2, jpegSegment(0xdb, quantisation(0, secret))),
  'a table beside one that is used': (file, secret) => {
    const own = jpegParts(file).segments.find(({ marker }) => marker === 0xdb);
    return (
      own &&
      joined(
        file.subarray(0, own.from),
        jpegSegment(0xdb, joined(file.subarray(own.from + 4, own.to), quantisation(3, secret))),
        file.subarray(own.to),
      )
    );
  },
  'a Huffman table that no scan uses': (file, secret, random) =>
    insertedAt(file, inHead(file, random), jpegSegment(0xc4, huffman(pick(random, [0x03, 0x13]), secret))),
  'the end of the data': (file, secret) => insertedAt(file, jpegParts(file).end, secret),
  'a reserved segment behind the data': (file, secret, random) =>
    insertedAt(file, jpegParts(file).end, jpegSegment(pick(random, [0xf0, 0x02, 0xdc]), secret)),
  'application data behind the data': (file, secret) => insertedAt(file, jpegParts(file).end, jpegSegment(0xe5, secret)),
  'a table behind the data': (file, secret) => insertedAt(file, jpegParts(file).end, jpegSegment(0xdb, quantisation(0, secret))),
  'the end of the data of an earlier scan': (file, secret) => {
    const next = file.indexOf(Buffer.of(0xff, 0xda), jpegParts(file).data);
    const table = file.indexOf(Buffer.of(0xff, 0xc4), jpegParts(file).data);
    return next < 0 ? undefined : insertedAt(file, table < 0 ? next : Math.min(next, table), secret);
  },
  'data in front of a restart marker': (file, secret) => {
    const at = file.indexOf(Buffer.of(0xff, 0xd1), jpegParts(file).data);
    return at < 0 ? undefined : insertedAt(file, at, secret);
  },
  'a trailer': (file, secret) => joined(file, secret),
  'another picture behind it': (file, secret, random) => joined(file, segmentIn(0xfe)(file, secret, random) as Buffer),
};

/** The chunks of a PNG. */
function pngParts(file: Buffer) {
  const chunks: { type: string; from: number; to: number }[] = [];
  for (let at = 8; at < file.length; ) {
    const to = at + 12 + file.readUInt32BE(at);
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), from: at, to });
    at = to;
  }
  return chunks;
}

const pngContent = (file: Buffer, { from, to }: { from: number; to: number }) => file.subarray(from + 8, to - 4);
const chunkOf = (file: Buffer, type: string) => pngParts(file).find((chunk) => chunk.type === type);
const lastOf = (file: Buffer, type: string) => pngParts(file).findLast((chunk) => chunk.type === type);
const replaced = (file: Buffer, chunk: { from: number; to: number }, ...parts: Buffer[]) =>
  joined(file.subarray(0, chunk.from), ...parts, file.subarray(chunk.to));
/** A chunk in front of the pixels, or behind them. */
const chunkIn =
  (type: string, prefix: Buffer | string = '', where = 'IDAT'): Planter =>
  (file, secret) =>
    insertedAt(file, chunkOf(file, where)?.from ?? 33, pngChunk(type, joined(Buffer.from(prefix as string), secret)));
const isPalette = (file: Buffer) => file[25] === 3;
const FIXED = ['pHYs', 'gAMA', 'sBIT', 'bKGD', 'cHRM', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'tRNS', 'acTL', 'hIST'];

const PNG: Record<string, Planter> = {
  'a chunk that is longer than its format': (file, secret, random) => chunkIn(pick(random, FIXED), Buffer.alloc(9))(file, secret, random),
  'a chunk of the right length, behind the pixels': (file, secret, random) => {
    const eight = Buffer.concat([secret], 8);
    return chunkIn('acTL', '', 'IEND')(file, eight, random);
  },
  'a second chunk of the right length': (file, secret) =>
    insertedAt(file, 33, pngChunk('cLLI', Buffer.alloc(8, 1)), pngChunk('cLLI', Buffer.concat([secret], 8))),
  text: (file, secret, random) =>
    chunkIn(pick(random, ['tEXt', 'iTXt', 'zTXt', 'eXIf', 'prVt', 'tIME', 'sPLT']), 'Key\0')(file, secret, random),
  'IEND’s content': (file, secret) => joined(file.subarray(0, -12), pngChunk('IEND', secret)),
  'a palette of a picture with colours of its own': (file, secret, random) =>
    isPalette(file) ? undefined : chunkIn('PLTE')(file, Buffer.concat([secret, Buffer.alloc(2)], Math.ceil(secret.length / 3) * 3), random),
  'more colours than can be counted': (file, secret) => {
    const palette = isPalette(file) && chunkOf(file, 'PLTE');
    if (!palette) return undefined;
    const full = Buffer.concat([pngContent(file, palette)], 3 * 2 ** (file[24] as number));
    return replaced(file, palette, pngChunk('PLTE', joined(full, secret, Buffer.alloc((3 - (secret.length % 3)) % 3))));
  },
  'data of a frame in a picture that doesn’t move': (file, secret, random) =>
    chunkOf(file, 'acTL') ? undefined : chunkIn('fdAT', '', 'IEND')(file, secret, random),
  'frames beyond the last': (file, secret) =>
    chunkOf(file, 'acTL') &&
    insertedAt(file, file.length - 12, pngChunk('fcTL', Buffer.concat([secret], 26)), pngChunk('fdAT', joined(secret))),
  'pixels behind others': (file, secret) =>
    insertedAt(file, file.length - 12, pngChunk('tEXt', Buffer.from('a\0b')), pngChunk('IDAT', secret)),
  'the end of the data': (file, secret) => {
    const last = lastOf(file, 'IDAT');
    return last && replaced(file, last, pngChunk('IDAT', joined(pngContent(file, last), secret)));
  },
  'a chunk behind the end of the data': (file, secret) => {
    const last = lastOf(file, 'IDAT');
    return last && insertedAt(file, last.to, pngChunk('IDAT', secret), pngChunk('IDAT', secret));
  },
  'the end of a frame': (file, secret) => {
    const last = lastOf(file, 'fdAT');
    return last && replaced(file, last, pngChunk('fdAT', joined(pngContent(file, last), secret)));
  },
  'a profile': (file, secret) => insertedAt(file, 33, pngChunk('iCCP', joined(secret, [0, 0], deflateSync(secret)))),
  'a trailer': (file, secret) => joined(file, secret),
};

/** Where the first picture of a GIF begins, and its data: the byte of its depth. */
function gifParts(file: Buffer) {
  const tableLength = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);
  const afterBlocks = (from: number) => {
    let at = from;
    for (; file[at]; at += 1 + (file[at] as number));
    return at + 1;
  };
  const start = 13 + tableLength(file.readUInt8(10));
  let at = start;
  for (; file[at] === 0x21; ) at = afterBlocks(at + 2);
  const data = at + 10 + tableLength(file.readUInt8(at + 9));
  return { start, image: at, data, end: afterBlocks(data + 1) };
}

const gifBlocks = (secret: Buffer) => joined([secret.length], secret, [0]);
const extension =
  (label: number, ...head: (Buffer | number[])[]): Planter =>
  (file, secret, random) => {
    const { start, image } = gifParts(file);
    return insertedAt(file, pick(random, [start, image, file.length - 1]), joined([0x21, label], ...head, gifBlocks(secret)));
  };
const named = (name: string) => joined([name.length], Buffer.from(name));

const GIF: Record<string, Planter> = {
  'a comment': extension(0xfe),
  'a plain text': extension(0x01, [12], Buffer.alloc(12)),
  'an application’s data': extension(0xff, named('XMP DataXMP')),
  'an unknown extension': extension(0x77),
  'more of a repetition': extension(0xff, named('NETSCAPE2.0'), [3, 1, 0, 0]),
  'a longer repetition': (file, secret, random) => extension(0xff, named('NETSCAPE2.0'))(file, joined([1, 0, 0], secret), random),
  'more of how a picture is shown': (file, secret) =>
    insertedAt(file, gifParts(file).start, joined([0x21, 0xf9, 4, 0, 0, 0, 0], gifBlocks(secret))),
  'how no picture is shown': (file, secret) => insertedAt(file, file.length - 1, joined([0x21, 0xf9], gifBlocks(secret))),
  'a longer block of how a picture is shown': (file, secret) =>
    insertedAt(file, gifParts(file).start, joined([0x21, 0xf9], gifBlocks(joined([0, 0, 0, 0], secret)))),
  'the end of the data': (file, secret) => insertedAt(file, gifParts(file).end - 1, joined([secret.length], secret)),
  'the end of a block': (file, secret) => {
    const { data, end } = gifParts(file);
    let block = data + 1;
    while (block + 1 + (file[block] as number) < end - 1) block += 1 + (file[block] as number);
    const length = (file[block] as number) + secret.length;
    if (length > 255) return undefined;
    const longerFile = insertedAt(file, end - 1, secret);
    longerFile.writeUInt8(length, block);
    return longerFile;
  },
  'colours that no picture uses': (file, secret) => {
    if (((file[10] as number) & 0x80) === 0) return undefined;
    const { start, image } = gifParts(file);
    const [table, packed] = [file.subarray(13, start), (file[image + 9] as number) | 0x80 | ((file[10] as number) & 7)];
    if (gifParts(file).end !== file.length - 1 || table.length < secret.length || ((file[image + 9] as number) & 0x80) !== 0)
      return undefined;
    const changed = joined(
      file.subarray(0, 13),
      Buffer.concat([secret], table.length),
      file.subarray(start, image + 9),
      [packed],
      table,
      file.subarray(image + 10),
    );
    return changed;
  },
  'a trailer': (file, secret) => joined(file, secret),
};

function webpParts(file: Buffer) {
  const chunks: { type: string; from: number; to: number }[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const to = at + 8 + file.readUInt32LE(at + 4);
    chunks.push({ type: file.toString('latin1', at, at + 4), from: at, to });
    at = to + (to % 2);
  }
  return chunks;
}

function riff(...chunks: Buffer[]): Buffer {
  const file = joined(Buffer.from('RIFF\0\0\0\0WEBP'), ...chunks);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** Changes the content of the first chunk of a type. */
const changedChunk =
  (wanted: string, change: (content: Buffer, secret: Buffer) => Buffer): Planter =>
  (file, secret) => {
    const first = webpParts(file).find(({ type }) => type === wanted);
    if (!first) return undefined;
    return riff(
      ...webpParts(file).map((chunk) => {
        const content = file.subarray(chunk.from + 8, chunk.to);
        return webpChunk(chunk.type, chunk.from === first.from ? change(content, secret) : content);
      }),
    );
  };
const webpChunkIn =
  (type: string): Planter =>
  (file, secret, random) => {
    const at = pick(random, webpParts(file)).to;
    return riff(file.subarray(12, at + (at % 2)), webpChunk(type, secret), file.subarray(at + (at % 2)));
  };

const WEBP: Record<string, Planter> = {
  'a chunk': (file, secret, random) => webpChunkIn(pick(random, ['EXIF', 'XMP ', 'prVt', 'ICCP', 'JUNK']))(file, secret, random),
  'more of the header': changedChunk('VP8X', (content, secret) => joined(content, secret)),
  'a second header': (file, secret, random) => webpChunkIn('VP8X')(file, secret, random),
  'more of the repetition': changedChunk('ANIM', (content, secret) => joined(content, secret)),
  'a second repetition': (file, secret) => (file.includes('ANIM') ? riff(file.subarray(12), webpChunk('ANIM', secret)) : undefined),
  'a frame of a picture that doesn’t move': (file, secret, random) =>
    file.includes('ANIM') ? undefined : webpChunkIn('ANMF')(file, secret, random),
  'a picture beside frames': (file, secret, random) => (file.includes('ANIM') ? webpChunkIn('VP8 ')(file, secret, random) : undefined),
  'a second picture': (file, secret) => (file.includes('ANIM') ? undefined : riff(file.subarray(12), webpChunk('VP8L', secret))),
  'a frame’s chunk': changedChunk('ANMF', (content, secret) => joined(content, webpChunk('prVt', secret))),
  'a frame’s second picture': changedChunk('ANMF', (content, secret) => joined(content, webpChunk('VP8 ', secret))),
  'a trailer': (file, secret) => joined(file, secret),
};

/** Appends a box to a container inside of the table of contents, whose data must then move. */
function grown(file: Buffer, path: readonly string[], added: Buffer, isStart = false): Buffer | undefined {
  let [from, to] = [0, file.length];
  const sizes: number[] = [];
  for (const type of path) {
    const at = boxAt(file, type, from, to);
    if (at === undefined) return undefined;
    sizes.push(at);
    [from, to] = [at + 8 + (type === 'meta' || type === 'iref' ? 4 : type === 'iinf' ? 6 : 0), at + file.readUInt32BE(at)];
  }
  const place = isStart ? from : to;
  const longerFile = insertedAt(file, place, added);
  for (const at of sizes) longerFile.writeUInt32BE(file.readUInt32BE(at) + added.length, at);
  return moved(file, longerFile, place, added.length);
}

function boxAt(file: Buffer, type: string, from: number, to: number): number | undefined {
  for (let at = from; at + 8 <= to; at += file.readUInt32BE(at)) if (file.toString('latin1', at + 4, at + 8) === type) return at;
  return undefined;
}

/** Corrects where items are, in tables of version 0 or 1 with numbers of four bytes, and where samples are. */
function moved(file: Buffer, longerFile: Buffer, place: number, by: number): Buffer | undefined {
  const iloc = longerFile.indexOf('iloc') + 4;
  if (iloc > 3) {
    const version = longerFile[iloc];
    const baseSize = longerFile.readUInt8(iloc + 5) >> 4;
    if (longerFile.readUInt8(iloc + 4) !== 0x44 || baseSize % 4 !== 0) return undefined;
    let at = iloc + 8;
    for (let items = longerFile.readUInt16BE(iloc + 6); items > 0; items--) {
      at += version === 0 ? 4 : 6;
      const base = baseSize === 0 ? 0 : longerFile.readUInt32BE(at);
      const extents = longerFile.readUInt16BE(at + baseSize);
      // Items have a base, or one for each of their extents.
      if (base >= place) longerFile.writeUInt32BE(base + by, at);
      at += baseSize + 2;
      for (let i = 0; i < extents; i++, at += 8)
        if (base === 0 && longerFile.readUInt32BE(at) >= place) longerFile.writeUInt32BE(longerFile.readUInt32BE(at) + by, at);
    }
  }
  const stco = longerFile.indexOf('stco') + 4;
  if (stco > 3)
    for (let i = 0; i < longerFile.readUInt32BE(stco + 4); i++) {
      const at = stco + 8 + 4 * i;
      if (longerFile.readUInt32BE(at) >= place) longerFile.writeUInt32BE(longerFile.readUInt32BE(at) + by, at);
    }
  return longerFile.length === file.length + by ? longerFile : undefined;
}

const boxIn =
  (path: string[], type: string, prefix = 0): Planter =>
  (file, secret) =>
    grown(file, path, isoBox(type, Buffer.alloc(prefix), secret));
/** The secret behind the fields of a box. */
const behind =
  (path: string[]): Planter =>
  (file, secret) =>
    grown(file, path, secret);
const MOVIE = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

const AVIF: Record<string, Planter> = {
  brands: (file, secret) => grown(file, ['ftyp'], Buffer.concat([secret], Math.ceil(secret.length / 4) * 4)),
  'an unknown box': (file, secret, random) =>
    joined(file, isoBox(pick(random, ['free', 'skip', 'uuid', 'prVt', 'mdat', 'styp', 'sidx', 'mfra']), Buffer.alloc(16), secret)),
  'the name of the handler': behind(['meta', 'hdlr']),
  'the table of contents': (file, secret, random) =>
    boxIn(['meta'], pick(random, ['uuid', 'free', 'xml ', 'prVt', 'dinf']))(file, secret, random),
  'the name of an item': behind(['meta', 'iinf', 'infe']),
  'an entry of an unknown kind': boxIn(['meta', 'iinf'], 'prVt'),
  'the end of the places': behind(['meta', 'iloc']),
  'the end of the first item’s number': behind(['meta', 'pitm']),
  'the properties': boxIn(['meta', 'iprp'], 'prVt'),
  'an unknown property': (file, secret, random) =>
    boxIn(['meta', 'iprp', 'ipco'], pick(random, ['uuid', 'udes', 'prVt', 'altt', 'free']), 4)(file, secret, random),
  'a property that is longer than its format': (file, secret, random) =>
    behind(['meta', 'iprp', 'ipco', pick(random, ['ispe', 'pixi', 'auxC', 'irot'])])(file, secret, random),
  'the end of the associations': behind(['meta', 'iprp', 'ipma']),
  'a group': (file, secret) => grown(file, ['meta'], isoBox('grpl', isoBox('prVt', secret))),
  'a reference': (file, secret) => {
    const ids = secret.subarray(0, secret.length - (secret.length % 2));
    return grown(file, ['meta', 'iref'], isoBox('prVt', shorts(1, ids.length / 2), ids));
  },
  'padding in the coded pixels': (file, secret) => inPicture(file, joined([0x7a, secret.length + 1], secret, [0x80])),
  'metadata in the coded pixels': (file, secret) => inPicture(file, joined([0x2a, secret.length + 5], [4, 0xb5, 0, 0x3c], secret, [0x80])),
  'a reserved unit in the coded pixels': (file, secret) => inPicture(file, joined([0x4a, secret.length], secret)),
  'data that no item refers to': (file, secret) => {
    const at = file.lastIndexOf('mdat') - 4;
    if (at + file.readUInt32BE(at) !== file.length) return undefined;
    const longerFile = joined(file, secret);
    longerFile.writeUInt32BE(longerFile.length - at, at);
    return longerFile;
  },
  'the movie': (file, secret, random) =>
    boxIn(MOVIE.slice(0, 1 + random(MOVIE.length)), pick(random, ['udta', 'prVt', 'meta', 'uuid', 'free']))(file, secret, random),
  'the end of a table': (file, secret, random) => behind([...MOVIE, pick(random, ['stts', 'stsc', 'stco'])])(file, secret, random),
  'the end of a header': (file, secret, random) =>
    behind(
      pick(random, [
        ['moov', 'mvhd'],
        ['moov', 'trak', 'tkhd'],
        ['moov', 'trak', 'mdia', 'mdhd'],
      ]),
    )(file, secret, random),
  'the name of the movie’s handler': behind(['moov', 'trak', 'mdia', 'hdlr']),
  'the name of the program': (file, secret) => {
    const at = file.indexOf('av01', file.indexOf('stsd'));
    if (file.indexOf('stsd') < 0) return undefined;
    const changed = Buffer.from(file);
    secret.copy(changed, at + 4 + 43, 0, 31);
    return changed;
  },
};

/** Appends units to the coded data of the first item, if it is the last in the file. */
function inPicture(file: Buffer, units: Buffer): Buffer | undefined {
  const iloc = file.indexOf('iloc') + 4;
  if (iloc < 4 || file.readUInt32BE(iloc) !== 0 || file.readUInt16BE(iloc + 4) !== 0x4440 || file.readUInt16BE(iloc + 6) !== 1)
    return undefined;
  const [offset, length] = [file.readUInt32BE(iloc + 12) + file.readUInt32BE(iloc + 18), file.readUInt32BE(iloc + 22)];
  const mdat = file.lastIndexOf('mdat') - 4;
  if (offset + length !== file.length || mdat + file.readUInt32BE(mdat) !== file.length) return undefined;
  const longerFile = joined(file, units);
  longerFile.writeUInt32BE(longerFile.length - mdat, mdat);
  longs(length + units.length).copy(longerFile, iloc + 22);
  return longerFile;
}

/** Every place of a file that can hold bytes without being read by decoders, by format. */
export const PLANTERS = { jpeg: JPEG, png: PNG, gif: GIF, webp: WEBP, avif: AVIF } as const;

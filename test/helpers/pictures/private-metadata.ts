import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { animatedGif, avif, image, type PhotoOptions, PRIVATE_WORDS, photoJpeg, png, webp } from './images.ts';

/** A word that is in every kind of metadata of these pictures, and nowhere else. */
export const SECRET = 'TopSecretWord';

const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>${SECRET}</dc:creator></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** A photo with every kind of JPEG metadata from cameras and programs, and a video after its end. */
export async function privateJpeg(options: PhotoOptions = {}): Promise<Buffer> {
  const photo = await photoJpeg({ gps: true, icc: 'p3', ...options });
  const thumbnail = await photoJpeg({ width: 32, height: 20 });
  const iptc = Buffer.concat([
    Buffer.from('Photoshop 3.0\0' + '8BIM\x04\x04\0\0\0\0\0\x12\x1c\x02\x50\0\x0d', 'latin1'),
    Buffer.from(SECRET),
  ]);
  const segments = [
    jpegSegment(0xe0, Buffer.concat([Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\x02\x01', 'latin1'), Buffer.from(`${SECRET}`.slice(0, 6))])),
    jpegSegment(0xe0, Buffer.concat([Buffer.from('JFXX\0\x10', 'latin1'), thumbnail])),
    jpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${XMP}`)),
    jpegSegment(0xe2, Buffer.from(`MPF\0${SECRET}`)),
    jpegSegment(0xed, iptc),
    jpegSegment(0xeb, Buffer.from(`JUMBF${SECRET}`)),
    jpegSegment(0xfe, Buffer.from(SECRET)),
  ];
  return Buffer.concat([photo.subarray(0, 2), ...segments, photo.subarray(2), Buffer.from(`ftypmp42 film ${SECRET}`)]);
}

export async function privatePng(orientation = 1): Promise<Buffer> {
  const plain = await image({ alpha: true }).withIccProfile('p3').png().toBuffer();
  const tiff = await exifOfPhoto({ gps: true, orientation });
  const chunks = [
    pngChunk('tEXt', Buffer.from(`Author\0${SECRET}`)),
    pngChunk('zTXt', Buffer.from(`Comment\0\0${SECRET}`)),
    pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${XMP}`)),
    pngChunk('tIME', Buffer.from([7, 232, 5, 6, 7, 8, 9])),
    pngChunk('eXIf', tiff),
    pngChunk('prVt', Buffer.from(SECRET)),
  ];
  return Buffer.concat([plain.subarray(0, 33), ...chunks, plain.subarray(33), Buffer.from(SECRET)]);
}

export async function privateGif(): Promise<Buffer> {
  const plain = await animatedGif({ loop: 5 });
  const start = 13 + (((plain[10] ?? 0) & 0x80) === 0 ? 0 : 3 * 2 ** (((plain[10] ?? 0) & 7) + 1));
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, SECRET.length]), Buffer.from(SECRET), Buffer.from([0])]);
  const xmp = Buffer.concat([
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('XMP DataXMP'),
    Buffer.from([SECRET.length]),
    Buffer.from(SECRET),
    Buffer.from([0]),
  ]);
  return Buffer.concat([plain.subarray(0, start), comment, xmp, plain.subarray(start), Buffer.from(SECRET)]);
}

export async function privateWebp(orientation = 1): Promise<Buffer> {
  const base = image({ alpha: true })
    .withIccProfile('p3')
    .withExif({ IFD0: { Artist: PRIVATE_WORDS[1] }, IFD3: { GPSLatitudeRef: 'N' } });
  const plain = await base.withXmp(XMP).webp({ effort: 1 }).toBuffer();
  const unknown = webpChunk('prVt', Buffer.from(SECRET));
  const exif = webpChunk('EXIF', await exifOfPhoto({ gps: true, orientation }));
  const withoutExif = removeWebpChunk(plain, 'EXIF');
  const whole = Buffer.concat([withoutExif, unknown, exif]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return Buffer.concat([whole, Buffer.from(SECRET)]);
}

/** The orientation is kept as `irot` by the encoder, the rest as items. */
export function privateAvif(orientation = 1): Promise<Buffer> {
  return image({ alpha: true })
    .withMetadata({ orientation })
    .withIccProfile('p3')
    .withExifMerge({ IFD0: { Artist: PRIVATE_WORDS[1] }, IFD2: { BodySerialNumber: PRIVATE_WORDS[0] }, IFD3: { GPSLatitudeRef: 'N' } })
    .withXmp(XMP)
    .avif({ effort: 0, quality: 50 })
    .toBuffer();
}

/** A three-frame APNG: the second and third frames repeat the first one's data. */
export async function apng(): Promise<Buffer> {
  const plain = await png({ width: 16, height: 16 });
  const idat = plain.indexOf('IDAT') - 4;
  const data = plain.subarray(idat + 8, idat + 8 + plain.readUInt32BE(idat));
  const control = (sequence: number) => {
    const body = Buffer.alloc(26);
    body.writeUInt32BE(sequence, 0);
    body.writeUInt32BE(16, 4);
    body.writeUInt32BE(16, 8);
    body.writeUInt16BE(1, 20);
    body.writeUInt16BE(10, 22);
    return pngChunk('fcTL', body);
  };
  const frame = (sequence: number) => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence);
    return pngChunk('fdAT', Buffer.concat([number, data]));
  };
  const animation = Buffer.alloc(8);
  animation.writeUInt32BE(3);
  return Buffer.concat([
    plain.subarray(0, 33),
    pngChunk('acTL', animation),
    pngChunk('tEXt', Buffer.from(`Author\0${SECRET}`)),
    control(0),
    pngChunk('IDAT', data),
    control(1),
    frame(2),
    control(3),
    frame(4),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An APNG of 16 × 16 red pixels that isn't part of its animation; that has frames of 8 × 6 lime pixels, at 4, 2. */
export async function apngWithStill(frames: number): Promise<Buffer> {
  const [red, lime] = await Promise.all(
    (
      [
        [16, 16, 'red'],
        [8, 6, 'lime'],
      ] as const
    ).map(([width, height, background]) =>
      sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const dataOf = (file: Buffer) => {
    const at = file.indexOf('IDAT') - 4;
    return file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
  };
  const numbers = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from(Uint32Array.of(value).buffer).swap32()));
  const animation = Array.from({ length: frames }, (_, i) => [
    pngChunk('fcTL', Buffer.concat([numbers(2 * i, 8, 6, 4, 2), Buffer.from([0, 1, 0, 10, 0, 0])])),
    pngChunk('fdAT', Buffer.concat([numbers(2 * i + 1), dataOf(lime as Buffer)])),
  ]).flat();
  return Buffer.concat([
    (red as Buffer).subarray(0, 33),
    pngChunk('acTL', numbers(frames, 0)),
    pngChunk('IDAT', dataOf(red as Buffer)),
    ...animation,
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Adds EXIF, XMP and an unknown chunk to every frame of an animated WebP, behind its pixels. */
export function withChunksInFrames(file: Buffer): Buffer {
  const extra = Buffer.concat(['EXIF', 'XMP ', 'prVt'].map((type) => webpChunk(type, Buffer.from(SECRET))));
  const parts = [file.subarray(0, 12)];
  for (let at = 12; at < file.length; ) {
    const type = file.toString('latin1', at, at + 4);
    const end = at + 8 + file.readUInt32LE(at + 4);
    const content = file.subarray(at + 8, end);
    parts.push(webpChunk(type, type === 'ANMF' ? Buffer.concat([content, extra]) : content));
    at = end + (end % 2);
  }
  const whole = Buffer.concat(parts);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

/** Ways to hide a word in an AVIF where no item refers to it. */
export const UNREFERENCED: [string, (file: Buffer) => Buffer][] = [
  ['free space at the end', (file) => Buffer.concat([file, isoBox('free', Buffer.from(SECRET))])],
  ['skipped space', (file) => Buffer.concat([file, isoBox('skip', Buffer.from(SECRET))])],
  ['an unknown box', (file) => Buffer.concat([file, isoBox('uuid', Buffer.from(SECRET.padEnd(32)))])],
  ['data in a box of its own that no item refers to', (file) => Buffer.concat([file, isoBox('mdat', Buffer.from(SECRET))])],
  ['data behind that of the picture', withLongerData],
  ['an unknown box in the table of contents', withUnknownInTable],
];

/** Adds a sequence that describes a picture in the colours of the profile, with a title and times of creation. It has no samples. */
export function withSequence(file: Buffer, profile: Buffer): Buffer {
  const description = isoBox('av01', Buffer.concat([Buffer.alloc(78), isoBox('colr', Buffer.from('prof'), profile)]));
  const table = isoBox('stbl', isoBox('stsd', Buffer.alloc(8), description));
  const media = isoBox('mdia', isoBox('mdhd', timesOf(SECRET)), isoBox('minf', table));
  const track = isoBox('trak', isoBox('tkhd', timesOf(SECRET)), media, isoBox('udta', Buffer.from(SECRET)));
  return Buffer.concat([file, isoBox('moov', isoBox('mvhd', timesOf(SECRET)), track)]);
}

/** The tables of a sequence, changed by a test. */
export interface SampleTables {
  readonly chunks?: readonly number[];
  readonly sizes?: readonly number[];
  /** The first chunk of a run, and the samples in each chunk of it. */
  readonly runs?: readonly (readonly [number, number])[];
  readonly more?: string;
  /** The type of the box that holds the samples. */
  readonly box?: string;
}

/** Five samples in three chunks, with a secret around each chunk. Offsets count from the data in a box of its own at the end. */
export const SAMPLES = {
  chunks: [13, 33, 50],
  sizes: [3, 4, 1, 3, 6],
  runs: [
    [1, 2],
    [3, 1],
  ],
} as const;

/** Adds a sequence of the samples above, which are digits, and in its data a secret between them. */
export function withSamples(file: Buffer, tables: SampleTables = {}): Buffer {
  const { chunks, sizes, runs, more, box = 'mdat' } = { ...SAMPLES, ...tables };
  const numbers = (...values: number[]) => {
    const table = Buffer.alloc(4 * values.length);
    for (const [i, value] of values.entries()) table.writeUInt32BE(value, 4 * i);
    return table;
  };
  const movie = (start: number) => {
    const boxes = [
      isoBox('stsz', numbers(0, 0, sizes.length, ...sizes)),
      isoBox('stsc', numbers(0, runs.length, ...runs.flatMap(([first, count]) => [first, count, 1]))),
      isoBox('stco', numbers(0, chunks.length, ...chunks.map((at) => start + at))),
      ...(more ? [isoBox(more, Buffer.alloc(8))] : []),
    ];
    return isoBox('moov', isoBox('trak', isoBox('mdia', isoBox('minf', isoBox('stbl', ...boxes)))));
  };
  const data = isoBox(box, Buffer.from(`${SECRET}1112222${SECRET}3444${SECRET}555555${SECRET}`));
  return Buffer.concat([file, movie(file.length + movie(0).length + 8), data]);
}

/** The first fields of the header of a movie, a track or a medium, with these bytes as its times of version 1. */
function timesOf(word: string): Buffer {
  return Buffer.concat([Buffer.of(1, 0, 0, 0), Buffer.from(word.padEnd(16)), Buffer.alloc(16)]);
}

/** Adds a box to the table of contents, which moves the picture's data behind it. */
function withUnknownInTable(file: Buffer): Buffer {
  const added = isoBox('uuid', Buffer.from(SECRET.padEnd(32)));
  const [meta, iloc] = [file.indexOf('meta') - 4, file.indexOf('iloc') + 4];
  const end = meta + file.readUInt32BE(meta);
  const longer = Buffer.concat([file.subarray(0, end), added, file.subarray(end)]);
  longer.writeUInt32BE(end - meta + added.length, meta);
  // Version 0 with numbers of four bytes: after their sizes and the count, each item has its id, two zeros, its base, and one range.
  if (file.readUInt32BE(iloc) !== 0 || file.readUInt16BE(iloc + 4) !== 0x4440) throw new Error('The table has another layout.');
  for (let i = 0; i < file.readUInt16BE(iloc + 6); i++) {
    const offset = iloc + 8 + 18 * i + 4;
    longer.writeUInt32BE(file.readUInt32BE(offset) + added.length, offset);
  }
  return longer;
}

/** Lengthens the last box, which holds the data. */
function withLongerData(file: Buffer): Buffer {
  const longer = Buffer.concat([file, Buffer.from(SECRET)]);
  const at = file.indexOf('mdat') - 4;
  if (at + file.readUInt32BE(at) !== file.length) throw new Error('The data is not at the end.');
  longer.writeUInt32BE(longer.length - at, at);
  return longer;
}

export function isoBox(type: string, ...contents: Buffer[]): Buffer {
  const box = Buffer.concat([Buffer.alloc(8), ...contents]);
  box.writeUInt32BE(box.length);
  box.write(type, 4, 'latin1');
  return box;
}

/** Adds a chunk to a PNG, behind its header. */
export function withChunk(png: Buffer, type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngChunk(type, data), png.subarray(33)]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

export function plainOf(format: 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'): Promise<Buffer> {
  return { jpeg: photoJpeg, png, gif: animatedGif, webp, avif }[format]();
}

export function jpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** The TIFF structure that sharp writes for a photo, without the prefix of JPEG. */
async function exifOfPhoto(options: PhotoOptions): Promise<Buffer> {
  const photo = await photoJpeg(options);
  const at = photo.indexOf('Exif\0\0') + 6;
  const end = at - 8 + photo.readUInt16BE(at - 8);
  return photo.subarray(at, end);
}

export function webpChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function removeWebpChunk(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 12, 'latin1');
  const length = file.readUInt32LE(at + 4);
  return Buffer.concat([file.subarray(0, at), file.subarray(at + 8 + length + (length % 2))]);
}

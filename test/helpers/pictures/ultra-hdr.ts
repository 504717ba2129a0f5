import { image } from './images.ts';
import { jpegSegment, privateJpeg, SECRET } from './private-metadata.ts';

export interface UltraHdrOptions {
  /** Another picture than one of {@link PICTURE}. */
  readonly picture?: Buffer;
  /** How the gain map is described. */
  readonly xmp?: 'attributes' | 'elements' | 'channels' | 'none';
  readonly iso?: 'one channel' | 'three channels' | 'common denominator' | 'none';
  /** The order of bytes in the index. */
  readonly isLittle?: boolean;
  /** Of the gain map. */
  readonly width?: number;
  readonly height?: number;
  /** Changes the gain map. */
  readonly change?: (gainMap: Buffer) => Buffer;
  /** Changes the second entry of the index. */
  readonly place?: (place: { size: number; offset: number }) => { size: number; offset: number };
  /** Also for the picture: whether it says that it has a gain map. */
  readonly isClaimed?: boolean;
}

export const PICTURE = { width: 320, height: 200 };

/** An Ultra HDR picture as a phone writes it, with private data in all of its parts, between them and behind them. */
export async function ultraHdr(options: UltraHdrOptions = {}): Promise<Buffer> {
  const { xmp = 'attributes', iso = 'one channel', isLittle = false, isClaimed = true, change = (same) => same } = options;
  const plain = await image({ width: options.width ?? 80, height: options.height ?? 50, seed: 7, smooth: true })
    .greyscale()
    .jpeg({ quality: 90 })
    .toBuffer();
  const metadata = [
    jpegSegment(0xe1, Buffer.from(`Exif\0\0MM\0*${SECRET}`)),
    ...(xmp === 'none' ? [] : [xmpSegment(gainMapXmp(xmp))]),
    ...(iso === 'none' ? [] : [isoSegment(isoDescription(iso))]),
    jpegSegment(0xe2, Buffer.from(`MPF\0${SECRET}`)),
    jpegSegment(0xed, Buffer.from(SECRET)),
    jpegSegment(0xfe, Buffer.from(SECRET)),
  ];
  const gainMap = change(Buffer.concat([plain.subarray(0, 2), ...metadata, plain.subarray(2)]));
  const claims = [
    ...(xmp === 'none' ? [] : [xmpSegment(pictureXmp(gainMap.length))]),
    ...(iso === 'none' ? [] : [isoSegment(Buffer.alloc(4))]),
  ];
  const photo = options.picture ?? (await privateJpeg({ ...PICTURE, smooth: true }));
  const between = Buffer.from(SECRET);
  const head = Buffer.concat([photo.subarray(0, 2), ...(isClaimed ? claims : [])]);
  const index = indexSegment(isLittle);
  const size = head.length + index.length + photo.length - 2;
  const header = head.length + 8;
  const { place = (same) => same } = options;
  writeEntries(index, isLittle, [{ size, offset: 0 }, place({ size: gainMap.length, offset: size + between.length - header })]);
  return Buffer.concat([head, index, photo.subarray(2), between, gainMap, Buffer.from(SECRET)]);
}

const xmpSegment = (packet: string) => jpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`));
const isoSegment = (description: Buffer) => jpegSegment(0xe2, Buffer.concat([Buffer.from('urn:iso:std:iso:ts:21496:-1\0'), description]));

const NAMES =
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"';
const packetOf = (description: string) =>
  `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="${SECRET}"><rdf:RDF ${NAMES}>${description}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const creator = `<dc:creator><rdf:Seq><rdf:li>${SECRET}</rdf:li></rdf:Seq></dc:creator>`;

function pictureXmp(length: number): string {
  const item = (attributes: string) => `<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" ${attributes}/></rdf:li>`;
  const items = `${item('Item:Semantic="Primary"')}${item(`Item:Semantic="GainMap" Item:Length="${length}"`)}`;
  const names = 'xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"';
  return packetOf(
    `<rdf:Description ${names} hdrgm:Version="1.0">${creator}<Container:Directory><rdf:Seq>${items}</rdf:Seq></Container:Directory></rdf:Description>`,
  );
}

const VALUES = {
  Version: '1.0',
  BaseRenditionIsHDR: 'False',
  GainMapMin: '-0.25',
  GainMapMax: '2.5',
  Gamma: '1.2',
  OffsetSDR: '0.015625',
  OffsetHDR: '0.015625',
  HDRCapacityMin: '0',
  HDRCapacityMax: '2.5',
};

function gainMapXmp(kind: 'attributes' | 'elements' | 'channels'): string {
  const fields = Object.entries(VALUES);
  if (kind === 'attributes')
    return packetOf(
      `<rdf:Description xmpMM:DocumentID="${SECRET}" ${fields.map(([name, value]) => `hdrgm:${name}="${value}"`).join('\n')}>${creator}</rdf:Description>`,
    );
  const list = (value: string) => `<rdf:Seq>${['', '', ''].map(() => `<rdf:li>${value}</rdf:li>`).join('')}</rdf:Seq>`;
  const element = (name: string, value: string) =>
    `<hdrgm:${name}>${kind === 'channels' && /^(GainMap|Gamma|Offset)/.test(name) ? list(value) : value}</hdrgm:${name}>`;
  return packetOf(`<rdf:Description>${creator}${fields.map(([name, value]) => element(name, value)).join('')}</rdf:Description>`);
}

/** The same numbers, as fractions; after them, bytes that mean nothing. */
function isoDescription(kind: 'one channel' | 'three channels' | 'common denominator'): Buffer {
  const unit = 1_000_000;
  const numbers = [
    0,
    2.5,
    ...Array.from({ length: kind === 'three channels' ? 3 : 1 }, () => [-0.25, 2.5, 1.2, 0.015625, 0.015625]).flat(),
  ];
  const isCommon = kind === 'common denominator';
  const values = isCommon ? [unit, ...numbers.map((number) => number * unit)] : numbers.flatMap((number) => [number * unit, unit]);
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeInt32BE(value, 4 * i);
  const flags = (kind === 'three channels' ? 0x80 : 0) | (isCommon ? 0x08 : 0);
  return Buffer.concat([Buffer.from([0, 0, 0, 0, flags]), bytes, Buffer.from(SECRET)]);
}

/** An index of two pictures, and a field of the camera's maker. */
function indexSegment(isLittle: boolean): Buffer {
  const index = Buffer.alloc(94 + SECRET.length);
  index.write(isLittle ? 'II*\0' : 'MM\0*', 'latin1');
  const { uint16, uint32 } = writers(index, isLittle);
  uint32(4, 8);
  uint16(8, 4);
  const fields = [
    [0xb000, 7, 4, 0],
    [0xb001, 4, 1, 2],
    [0xb002, 7, 32, 62],
    [0xb101, 7, SECRET.length, 94],
  ] as const;
  for (const [i, [tag, type, count, value]] of fields.entries()) {
    const at = 10 + 12 * i;
    uint16(at, tag);
    uint16(at + 2, type);
    uint32(at + 4, count);
    uint32(at + 8, value);
  }
  index.write('0100', 18, 'latin1');
  index.write(SECRET, 94, 'latin1');
  return jpegSegment(0xe2, Buffer.concat([Buffer.from('MPF\0'), index]));
}

function writeEntries(segment: Buffer, isLittle: boolean, entries: readonly { size: number; offset: number }[]): void {
  const { uint32 } = writers(segment.subarray(8), isLittle);
  for (const [i, { size, offset }] of entries.entries()) {
    uint32(62 + 16 * i, i === 0 ? 0x00030000 : 0);
    uint32(66 + 16 * i, size);
    uint32(70 + 16 * i, offset);
  }
}

function writers(bytes: Buffer, isLittle: boolean) {
  return {
    uint16: (at: number, value: number) => (isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)),
    uint32: (at: number, value: number) => (isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)),
  };
}

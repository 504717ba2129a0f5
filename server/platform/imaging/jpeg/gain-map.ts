import type { ByteRange, ImageBytes } from '../bytes.ts';
import { type Piece, pieceLength, type StripPlan } from '../metadata/plan.ts';
import { decodeText } from '../metadata/rights.ts';
import { packetOf, XMP_PREFIX, type XmpDescription } from '../metadata/xmp.ts';
import { type JpegSegment, segmentOf } from './segments.ts';

// An Ultra HDR picture is an ordinary JPEG, followed by a second one: its gain map, by which displays with HDR brighten the first one. An index says where that is
// (CIPA DC-007), and both have a description: as XMP (Ultra HDR Image Format 1.1), as a segment of its own (ISO 21496-1), or both.

const APP1 = 0xe1;
const APP2 = 0xe2;
const INDEX_NAME = 'MPF\0';
const ISO_NAME = 'urn:iso:std:iso:ts:21496:-1\0';
const HEAD = 4;

/** A gain map without its metadata. */
export interface GainMap {
  readonly pieces: readonly Piece[];
  readonly length: number;
  readonly description: GainMapDescription;
  /** The index that the picture gets; {@link withGainMap} fills it in. */
  readonly index: Buffer;
}

/** What the head of a picture says of a gain map behind it: the segments in front of the first scan. */
export class GainMapClaim {
  #places: readonly ByteRange[] | undefined;
  #isDescribed = false;

  /** @returns whether it is the index, in whose place another one may be written */
  async take(file: ImageBytes, { marker, from, to }: JpegSegment): Promise<boolean> {
    if (marker === APP2 && !this.#places && (await isNamed(file, from, to, INDEX_NAME))) {
      this.#places = await readIndex(file, from + HEAD + INDEX_NAME.length, to);
      return true;
    }
    if (marker === APP2) this.#isDescribed ||= await isNamed(file, from, to, ISO_NAME);
    else if (marker === APP1 && (await isNamed(file, from, to, XMP_PREFIX)))
      this.#isDescribed ||= (await file.at(from, to - from)).includes('hdrgm:Version');
    return false;
  }

  /** Where there may be one. */
  get places(): readonly ByteRange[] {
    return (this.#isDescribed && this.#places) || [];
  }
}

/** The places of all pictures but the first by an index, as far as it can be read. */
async function readIndex(file: ImageBytes, from: number, to: number): Promise<ByteRange[]> {
  const index = Buffer.from(await file.at(from, to - from));
  const isLittle = index.toString('latin1', 0, 2) === 'II';
  const uint = (at: number, bytes: 2 | 4) => {
    if (at + bytes > index.length) return 0;
    return isLittle ? index.readUIntLE(at, bytes) : index.readUIntBE(at, bytes);
  };
  const table = uint(4, 4);
  const fields = Array.from({ length: Math.min(uint(table, 2), MAX_FIELDS) }, (_, i) => table + 2 + 12 * i);
  const entries = fields.find((at) => uint(at, 2) === ENTRIES_TAG);
  if (entries === undefined) return [];
  const count = Math.min(Math.floor(uint(entries + 4, 4) / ENTRY_BYTES), MAX_PICTURES);
  return Array.from({ length: Math.max(0, count - 1) }, (_, i) => {
    const entry = uint(entries + 8, 4) + (i + 1) * ENTRY_BYTES;
    // Offsets count from the header of the index.
    const start = from + uint(entry + 8, 4);
    return { from: start, to: start + uint(entry + 4, 4) };
  });
}

const MAX_FIELDS = 20;
const ENTRIES_TAG = 0xb002;
/** After its attributes: size and offset of a picture. */
const ENTRY_BYTES = 16;
/** The picture, its gain map, and two more; each is read in search of the gain map. */
const MAX_PICTURES = 4;

async function isNamed(file: ImageBytes, from: number, to: number, name: string): Promise<boolean> {
  return to - from >= HEAD + name.length && (await file.at(from + HEAD, name.length)).toString('latin1') === name;
}

/** Attributes: part of a group of pictures, the first one representing it. */
const FIRST_PICTURE = 0x00030000;
const INDEX_LENGTH = 82;

/** An index of two pictures, without their sizes and places. */
export function emptyIndex(): Buffer {
  const index = Buffer.alloc(INDEX_LENGTH);
  index.write('MM\0*\0\0\0\x08\0\x03', 'latin1');
  const fields = [
    // Version, an `UNDEFINED` of four bytes; pictures, a `LONG`; entries, at an offset.
    [0xb000, 7, 4, 0x30313030],
    [0xb001, 4, 1, 2],
    [ENTRIES_TAG, 7, 2 * ENTRY_BYTES, 50],
  ];
  for (const [i, [tag = 0, type = 0, count = 0, value = 0]] of fields.entries()) {
    index.writeUInt16BE(tag, 10 + 12 * i);
    index.writeUInt16BE(type, 12 + 12 * i);
    index.writeUInt32BE(count, 14 + 12 * i);
    index.writeUInt32BE(value, 18 + 12 * i);
  }
  index.writeUInt32BE(FIRST_PICTURE, 50);
  return segmentOf(APP2, INDEX_NAME, index);
}

/** The plan for a picture that has the index of a gain map, with the gain map behind it. */
export function withGainMap(plan: StripPlan, { pieces, length, index }: GainMap): StripPlan {
  let size = 0;
  let header = 0;
  for (const piece of plan.pieces) {
    if ('bytes' in piece && piece.bytes === index) header = size + HEAD + INDEX_NAME.length;
    size += pieceLength(piece);
  }
  const entries = index.subarray(HEAD + INDEX_NAME.length + 50);
  entries.writeUInt32BE(size, 4);
  entries.writeUInt32BE(length, ENTRY_BYTES + 4);
  entries.writeUInt32BE(size - header, ENTRY_BYTES + 8);
  return { ...plan, pieces: [...plan.pieces, ...pieces] };
}

const MAX_PACKET_BYTES = 64 * 1024;

/** What a gain map says about itself. Of its XMP, only the numbers stay that displays need. */
export class GainMapDescription {
  #fields: readonly Field[] | undefined;
  #iso: Buffer | undefined;

  /** @returns what stays of a segment, if it is a description */
  async take(file: ImageBytes, { marker, from, to }: JpegSegment): Promise<Buffer | undefined> {
    if (marker === APP1 && !this.#fields && (await isNamed(file, from, to, XMP_PREFIX))) {
      const start = from + HEAD + XMP_PREFIX.length;
      this.#fields = fieldsIn(decodeText(await file.copy({ from: start, to: Math.min(to, start + MAX_PACKET_BYTES) })));
      return this.#fields && segmentOf(APP1, XMP_PREFIX, packetOf(descriptionOf(this.#fields)));
    }
    if (marker === APP2 && !this.#iso && (await isNamed(file, from, to, ISO_NAME))) {
      const content = await file.copy({ from: from + HEAD + ISO_NAME.length, to });
      const length = isoLength(content);
      this.#iso = length !== undefined && length <= content.length ? content.subarray(0, length) : undefined;
      return this.#iso && segmentOf(APP2, ISO_NAME, this.#iso);
    }
    return undefined;
  }

  get isFound(): boolean {
    return this.#fields !== undefined || this.#iso !== undefined;
  }

  /** What the XMP of the picture must say, if it must say anything. @param length of the gain map in bytes */
  ofPicture(length: number): XmpDescription | undefined {
    const version = this.#fields?.find(({ name }) => name === 'Version')?.values[0];
    if (version === undefined) return undefined;
    const item = (attributes: string) => `<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" ${attributes}/></rdf:li>`;
    const items = `${item('Item:Semantic="Primary"')}${item(`Item:Semantic="GainMap" Item:Length="${length}"`)}`;
    return {
      names: `${GAIN_MAP_NAMES} xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"`,
      attributes: ` hdrgm:Version="${version}"`,
      elements: `<Container:Directory><rdf:Seq>${items}</rdf:Seq></Container:Directory>`,
    };
  }

  /** The segment of the picture by which readers find that of the gain map: its versions, which it begins with. */
  get versions(): Buffer | undefined {
    return this.#iso && segmentOf(APP2, ISO_NAME, this.#iso.subarray(0, ISO_VERSIONS));
  }
}

const ISO_VERSIONS = 4;
const ISO_FLAGS = { threeChannels: 0x80, commonDenominator: 0x08 };

/** Of a description by ISO 21496-1, annex C: after versions and flags, two headrooms, and five numbers for each channel, as fractions. */
function isoLength(content: Buffer): number | undefined {
  const flags = content[ISO_VERSIONS];
  if (flags === undefined) return undefined;
  const numbers = 2 + 5 * ((flags & ISO_FLAGS.threeChannels) === 0 ? 1 : 3);
  return ISO_VERSIONS + 1 + 4 * ((flags & ISO_FLAGS.commonDenominator) === 0 ? 2 * numbers : 1 + numbers);
}

const GAIN_MAP_NAMES = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"';

interface Field {
  readonly name: string;
  /** One, or one for each channel. */
  readonly values: readonly string[];
}

const NUMBER = /^[-+]?\d{1,12}(\.\d{1,16})?([eE][-+]?\d{1,3})?$/;
const FIELDS: Readonly<Record<string, RegExp>> = {
  Version: /^\d{1,3}(\.\d{1,3})?$/,
  BaseRenditionIsHDR: /^(True|False)$/i,
  GainMapMin: NUMBER,
  GainMapMax: NUMBER,
  Gamma: NUMBER,
  OffsetSDR: NUMBER,
  OffsetHDR: NUMBER,
  HDRCapacityMin: NUMBER,
  HDRCapacityMax: NUMBER,
};
const REQUIRED = ['Version', 'GainMapMax', 'HDRCapacityMax'];

function fieldsIn(packet: string): readonly Field[] | undefined {
  const fields = Object.entries(FIELDS).flatMap(([name, form]) => {
    const values = valuesIn(packet, `hdrgm:${name}`);
    return values.length > 0 && values.every((value) => form.test(value)) ? [{ name, values }] : [];
  });
  return REQUIRED.every((name) => fields.some((field) => field.name === name)) ? fields : undefined;
}

/** The values of a property: an attribute, an element, or an element with a list. */
function valuesIn(packet: string, property: string): string[] {
  const [, attribute] = new RegExp(`\\s${property}\\s*=\\s*["']([^"'<>]{1,40})["']`).exec(packet) ?? [];
  if (attribute !== undefined) return [attribute.trim()];
  const start = packet.indexOf(`<${property}>`);
  const end = start === -1 ? -1 : packet.indexOf(`</${property}>`, start);
  if (end === -1) return [];
  const content = packet.slice(start + property.length + 2, end);
  const items = [...content.matchAll(/<rdf:li>([^<]{1,40})<\/rdf:li>/g)].map(([, value = '']) => value.trim());
  if (items.length === 0) return [content.trim()];
  return items.length === 1 || items.length === 3 ? items : [];
}

function descriptionOf(fields: readonly Field[]): XmpDescription {
  const attributes = fields.filter(({ values }) => values.length === 1).map(({ name, values }) => ` hdrgm:${name}="${values[0]}"`);
  const elements = fields
    .filter(({ values }) => values.length > 1)
    .map(
      ({ name, values }) =>
        `<hdrgm:${name}><rdf:Seq>${values.map((value) => `<rdf:li>${value}</rdf:li>`).join('')}</rdf:Seq></hdrgm:${name}>`,
    );
  return { names: GAIN_MAP_NAMES, attributes: attributes.join(''), elements: elements.join('') };
}

import type { ByteRange, ImageBytes } from '../bytes.ts';
import { decodeText, MAX_FIELD_BYTES, type Rights, rightsOf } from './rights.ts';

/** In front of a packet in a JPEG. */
export const XMP_PREFIX = 'http://ns.adobe.com/xap/1.0/\0';
/** In front of a packet in a PNG: the keyword, no compression, no language, no translation. */
export const XMP_KEYWORD = 'XML:com.adobe.xmp';

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Packets in use take a few kilobytes. */
const MAX_PACKET_BYTES = 256 * 1024;

/** The rights in the packet at this place. */
export async function readPacket(file: ImageBytes, { from, to }: ByteRange): Promise<Rights> {
  return xmpRights(decodeText(await file.copy({ from, to: Math.min(to, from + MAX_PACKET_BYTES) })));
}

/** The creators and the rights statement of an XMP packet (ISO 16684-1 §8.3). */
export function xmpRights(packet: string): Rights {
  // The rights have one text for each language; the first is the default.
  return rightsOf(itemsOf(packet, 'dc:creator'), itemsOf(packet, 'dc:rights').slice(0, 1));
}

/** What a packet says: properties as attributes and as elements, with the declarations of their prefixes. */
export interface XmpDescription {
  readonly names: string;
  readonly attributes?: string;
  readonly elements?: string;
}

/** A packet that holds only the rights, and what else it must say; undefined without any. Google Images reads these fields. */
export function xmpPacket({ artist, copyright }: Rights, other?: XmpDescription): Buffer | undefined {
  if (!artist && !copyright) return other && packetOf(other);
  const creator = artist && `<dc:creator><rdf:Seq><rdf:li>${escaped(artist)}</rdf:li></rdf:Seq></dc:creator>`;
  const rights = copyright && `<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${escaped(copyright)}</rdf:li></rdf:Alt></dc:rights>`;
  return packetOf({
    names: `xmlns:dc="http://purl.org/dc/elements/1.1/"${other ? ` ${other.names}` : ''}`,
    attributes: other?.attributes ?? '',
    elements: `${creator ?? ''}${rights ?? ''}${other?.elements ?? ''}`,
  });
}

export function packetOf({ names, attributes = '', elements = '' }: XmpDescription): Buffer {
  const description = `<rdf:Description rdf:about=""${attributes}>${elements}</rdf:Description>`;
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ${names}>${description}</rdf:RDF>`;
  return Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdf}</x:xmpmeta>`);
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' })[character] ?? '&gt;');
}

/** Reads a bounded part of the packet, so that no packet takes long. */
function itemsOf(packet: string, property: string): string[] {
  const start = packet.indexOf(`<${property}`);
  const end = start === -1 ? -1 : packet.indexOf(`</${property}>`, start);
  if (end === -1) return [];
  const content = packet.slice(start, Math.min(end, start + MAX_FIELD_BYTES));
  return [...content.matchAll(/<rdf:li\b[^<>]*>([^<]*)<\/rdf:li>/g)].map(([, text = '']) => decodeEntities(text));
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

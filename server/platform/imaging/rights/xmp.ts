import { MAX_FIELD_BYTES, type Rights, rightsOf } from './rights.ts';

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The creators and the rights statement of an XMP packet (ISO 16684-1 §8.3). */
export function xmpRights(packet: string): Rights {
  // The rights have one text for each language; the first is the default.
  return rightsOf(itemsOf(packet, 'dc:creator'), itemsOf(packet, 'dc:rights').slice(0, 1));
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

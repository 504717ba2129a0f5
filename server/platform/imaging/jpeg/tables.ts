import type { ByteRange } from '../bytes.ts';
import type { Piece } from '../metadata/plan.ts';
import { DHT, DQT, DRI, type JpegSegment } from './segments.ts';

const COEFFICIENTS = 64;

/** Tables of Huffman codes for coefficients but the first. */
const AC = 0x10;

/** A table, and whether a scan uses it before another one replaces it. */
interface Definition extends ByteRange {
  readonly name: string;
  isUsed: boolean;
}

const nameOf = (marker: number, number = 0) => `${marker} ${number}`;

/** The tables of a JPEG: those that no scan uses may hold anything. */
export class JpegTables {
  readonly #current = new Map<string, Definition>();
  #quantisation: readonly string[] = [];
  #isProgressive = false;

  /** Notes the tables of a segment, and returns what stays of it once all scans are known. */
  take(segment: JpegSegment, content: Buffer): () => readonly Piece[] {
    const found = definitionsIn(segment, content);
    for (const definition of found ?? []) this.#current.set(definition.name, definition);
    return () => {
      const needed = found?.filter((definition) => definition.isUsed);
      if (!found || needed?.length === found.length) return [{ from: segment.from, to: segment.to }];
      if (!needed || needed.length === 0) return [];
      const head = Buffer.of(0xff, segment.marker, 0, 0);
      head.writeUInt16BE(
        needed.reduce((sum, { from, to }) => sum + to - from, 2),
        2,
      );
      return [{ bytes: head }, ...needed.map(({ from, to }) => ({ from, to }))];
    };
  }

  /** Takes the header of the frame, which names quantisation tables. */
  takeFrame(content: Buffer, isProgressive: boolean): void {
    this.#isProgressive = isProgressive;
    this.#quantisation = listOf(content, 5, 3).map((at) => nameOf(DQT, content[at + 2]));
  }

  /** Takes the header of a scan, which names Huffman tables. In a progressive JPEG, it uses those of one kind, or none for one bit more of the first coefficients. */
  takeScan(content: Buffer): void {
    const parts = listOf(content, 0, 2);
    const [first = 0, , bits = 0] = content.subarray(1 + 2 * parts.length);
    const usesDc = !this.#isProgressive || (first === 0 && bits >> 4 === 0);
    const usesAc = !this.#isProgressive || first > 0;
    const huffman = parts.flatMap((at) => {
      const numbers = content[at + 1] ?? 0;
      return [...(usesDc ? [nameOf(DHT, numbers >> 4)] : []), ...(usesAc ? [nameOf(DHT, AC | (numbers & 15))] : [])];
    });
    for (const name of [nameOf(DRI), ...this.#quantisation, ...huffman]) {
      const definition = this.#current.get(name);
      if (definition) definition.isUsed = true;
    }
  }
}

/** Where the entries of a list begin, whose number is in front of it. */
function listOf(content: Buffer, countAt: number, length: number): number[] {
  return Array.from({ length: content[countAt] ?? 0 }, (_, i) => countAt + 1 + length * i);
}

/** Undefined for a segment that isn't sound, which is for decoders to judge. */
function definitionsIn({ marker, from }: JpegSegment, content: Buffer): Definition[] | undefined {
  if (marker === DRI) return [{ name: nameOf(DRI), from: from + 4, to: from + 4 + content.length, isUsed: false }];
  const found: Definition[] = [];
  for (let at = 0; at < content.length; ) {
    const name = content.readUInt8(at);
    const counts = content.subarray(at + 1, at + 17);
    const end = at + 1 + (marker === DQT ? COEFFICIENTS * (name >> 4 > 0 ? 2 : 1) : 16 + counts.reduce((sum, count) => sum + count, 0));
    if (end > content.length) return undefined;
    // Quantisation tables have their precision beside their number.
    found.push({ name: nameOf(marker, marker === DQT ? name & 15 : name), from: from + 4 + at, to: from + 4 + end, isUsed: false });
    at = end;
  }
  return found;
}

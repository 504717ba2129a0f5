import { setImmediate } from 'node:timers/promises';
import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import { DHT, DRI, EOI, findMarker, isBare, SOI_LENGTH, SOS, segmentLength } from './segments.ts';

// Where the coded pixels of a JPEG begin and end (ITU-T T.81, annexes F and G), bit by bit as libjpeg reads them, faults included: behind them, a file
// may hold anything up to its next marker. This takes as long as decoding, so only files that give a reason are read (decision 166).

/** The data of one scan. */
export interface CodedScan {
  /** What belongs to pixels, in order: with restart markers, but without what is between them and the pixels. */
  readonly ranges: readonly ByteRange[];
  /** Where it ends. */
  readonly to: number;
  /** Whether all of its pixels are there. */
  readonly isWhole: boolean;
  /** Whether the picture is complete with it, in all its bits. */
  readonly isLast: boolean;
}

interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  /** Which coefficients but the first aren't zero, 64 bits for each block, in words of 32: progressive scans refine those. */
  known: Uint32Array | undefined;
  /** The lowest bit of each coefficient that scans have had so far. */
  readonly bits: number[];
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly isProgressive: boolean;
  readonly components: readonly Component[];
}

/** A component in a scan. */
interface Part {
  readonly component: Component;
  readonly dc: HuffmanTable | undefined;
  readonly ac: HuffmanTable | undefined;
}

interface Scan {
  readonly parts: readonly Part[];
  readonly units: number;
  /** What a unit consists of, block by block. */
  readonly blocks: readonly Part[];
  readonly first: number;
  readonly last: number;
  readonly isRefinement: boolean;
  readonly lowBit: number;
  /** Units between restart markers; 0: there are none. */
  readonly interval: number;
}

/** By the next 16 bits: the length of the code that they begin with, and its symbol. 0: no code. */
type HuffmanTable = Uint16Array;

const [SOF0, SOF2, RST0] = [0xc0, 0xc2, 0xd0];
const BLOCK = 8;
const COEFFICIENTS = 64;
/** More than any picture within the limits has. */
const MAX_BLOCKS = 5_000_000;
const MAX_SCANS = 100;
/** Of a scan, and of one of its units (T.81, B.2.3). */
const [MAX_PARTS, MAX_UNIT_BLOCKS] = [4, 10];
/** In all scans together, each of which may take a few bytes: encoders write 30 million for the largest picture. */
const MAX_WALKED = 50_000_000;
/** Units after which everything else in the process gets its turn: a few milliseconds' worth. */
const UNITS_PER_TURN = 4_096;
/** More than the data of one unit takes: ten blocks of 64 coefficients of 32 bits, all of them stuffed. */
const UNIT_BYTES = 8 * 1024;
/** What may have to be looked at again. */
const BEHIND = 16;

/** Thrown where the data ends before the pixels do. */
class TooShort extends Error {}

/** The scans of a JPEG that begins at `start`, by where their data begins, as far as they can be followed. */
export async function readCoded(file: ImageBytes, start = 0): Promise<ReadonlyMap<number, CodedScan>> {
  const scans = new Map<number, CodedScan>();
  const tables = new Map<number, Buffer>();
  let frame: Frame | undefined;
  let interval = 0;
  let walked = 0;
  try {
    for (let at = start + SOI_LENGTH; scans.size < MAX_SCANS; ) {
      at = await findMarker(file, at);
      const marker = (await file.at(at, 2)).readUInt8(1);
      if (marker === EOI) break;
      const to = at + 2 + (isBare(marker) ? 0 : await segmentLength(file, at));
      const content = Buffer.from(isBare(marker) ? [] : await file.at(at + 4, to - at - 4));
      at = to;
      if (marker === DHT) noteTables(content, tables);
      else if (marker === DRI) interval = content.readUInt16BE();
      else if (marker >= SOF0 && marker <= SOF2) {
        // Decoders reject another one.
        if (frame) break;
        frame = readFrame(content, marker === SOF2);
      } else if (marker === SOS) {
        const scan = frame && readScan(content, frame, tables, interval);
        if (!frame || !scan) break;
        walked += scan.units * scan.blocks.length;
        if (walked > MAX_WALKED) break;
        const coded = await new ScanWalk(file, frame, scan).walk(to);
        scans.set(to, { ...coded, isLast: coded.isWhole && isComplete(frame, scan) });
        if (!coded.isWhole) break;
        at = coded.to;
      }
    }
  } catch (error) {
    // The file ends, or a segment is too short.
    if (!(error instanceof DamagedImageError || error instanceof RangeError)) throw error;
  }
  return scans;
}

/** One or more tables: a name, how many codes there are of each length from 1 to 16, and their symbols. */
function noteTables(content: Buffer, tables: Map<number, Buffer>): void {
  for (let at = 0; at < content.length; ) {
    const counts = content.subarray(at + 1, at + 17);
    const end = at + 17 + counts.reduce((sum, count) => sum + count, 0);
    tables.set(content.readUInt8(at), content.subarray(at + 1, end));
    at = end;
  }
}

/** The codes count up within each length, in the order of their symbols. */
function buildTable(content: Buffer): HuffmanTable {
  const table = new Uint16Array(0x10000);
  let [code, symbolAt] = [0, 16];
  for (let length = 1; length <= 16; length++, code *= 2) {
    for (let left = content.readUInt8(length - 1); left > 0; left--) {
      const from = code++ << (16 - length);
      table.fill((length << 8) | content.readUInt8(symbolAt++), from, from + (1 << (16 - length)));
    }
  }
  return table;
}

function readFrame(content: Buffer, isProgressive: boolean): Frame {
  const components = Array.from({ length: content.readUInt8(5) }, (_, i): Component => {
    const factors = content.readUInt8(7 + 3 * i);
    const bits = new Array<number>(COEFFICIENTS).fill(Number.POSITIVE_INFINITY);
    return { id: content.readUInt8(6 + 3 * i), across: factors >> 4, down: factors & 15, known: undefined, bits };
  });
  return { height: content.readUInt16BE(1), width: content.readUInt16BE(3), isProgressive, components };
}

/** Undefined where the walk can't follow it. */
function readScan(content: Buffer, frame: Frame, tables: ReadonlyMap<number, Buffer>, interval: number): Scan | undefined {
  const count = content.readUInt8(0);
  if (count === 0 || count > MAX_PARTS) return undefined;
  const [first, last, both] = [content.readUInt8(1 + 2 * count), content.readUInt8(2 + 2 * count), content.readUInt8(3 + 2 * count)];
  const [isRefinement, lowBit] = frame.isProgressive ? [both >> 4 > 0, both & 15] : [false, 0];
  const needsDc = first === 0 && !isRefinement;
  const needsAc = !frame.isProgressive || first > 0;
  const tableOf = (name: number, isNeeded: boolean) => {
    const table = isNeeded ? tables.get(name) : undefined;
    return table && buildTable(table);
  };
  const parts = Array.from({ length: count }, (_, i) => {
    const names = content.readUInt8(2 + 2 * i);
    const component = frame.components.find(({ id }) => id === content.readUInt8(1 + 2 * i));
    return component && { component, dc: tableOf(names >> 4, needsDc), ac: tableOf(0x10 | (names & 15), needsAc) };
  }).filter((part) => part !== undefined);
  const hasTables = parts.every(({ dc, ac }) => (dc || !needsDc) && (ac || !needsAc));
  const isSound = frame.isProgressive
    ? (first === 0 ? last === 0 : parts.length === 1 && first <= last) && last < COEFFICIENTS
    : first === 0 && last === COEFFICIENTS - 1;
  const all = frame.components.reduce((sum, component) => sum + blocksOf(frame, component), 0);
  const { units, blocks } = unitsOf(frame, parts);
  if (parts.length < count || !hasTables || !isSound || !(all > 0 && all <= MAX_BLOCKS) || blocks.length > MAX_UNIT_BLOCKS)
    return undefined;
  return { parts, units, blocks, first, last, isRefinement, lowBit, interval };
}

/** A unit of one component is a block; of several, as many of each as its factors say. */
function unitsOf(frame: Frame, parts: readonly Part[]): Pick<Scan, 'units' | 'blocks'> {
  const [only, another] = parts;
  if (only && !another) return { units: blocksOf(frame, only.component), blocks: parts };
  const columns = Math.ceil(frame.width / (BLOCK * most(frame, 'across')));
  const rows = Math.ceil(frame.height / (BLOCK * most(frame, 'down')));
  const blocks = parts.flatMap((part) => new Array<Part>(part.component.across * part.component.down).fill(part));
  return { units: columns * rows, blocks };
}

const most = (frame: Frame, factor: 'across' | 'down') => Math.max(...frame.components.map((component) => component[factor]));

/** The blocks of a component alone. */
function blocksOf(frame: Frame, { across, down }: Component): number {
  const columns = Math.ceil(Math.ceil((frame.width * across) / most(frame, 'across')) / BLOCK);
  const rows = Math.ceil(Math.ceil((frame.height * down) / most(frame, 'down')) / BLOCK);
  return columns * rows;
}

/** Whether scans have had all bits of all coefficients. Notes those of this one. */
function isComplete({ components }: Frame, { parts, first, last, lowBit }: Scan): boolean {
  for (const { component } of parts) component.bits.fill(lowBit, first, last + 1);
  return components.every(({ bits }) => bits.every((bit) => bit === 0));
}

/** Walks at least one unit and at most as many as are left, and returns their number. */
type Walker = (left: number) => number;

/** Goes through the data of one scan. */
class ScanWalk {
  readonly #file: ImageBytes;
  readonly #scan: Scan;
  readonly #frame: Frame;
  /** Part of the file, from #base on; #at is the next byte in it. */
  #view: Buffer = Buffer.alloc(0);
  #base = 0;
  #at = 0;
  /** Whether the view ends with the file. */
  #isTail = false;
  /** Whether a marker or the end of the file is next. */
  #isStopped = false;
  /** Bits that have been fetched, the next one highest of #count. */
  #bits = 0;
  #count = 0;
  /** Blocks that have no further coefficients in this scan. */
  #emptyBlocks = 0;
  /** The number of the block, in a scan of one component. */
  #block = 0;
  /** Units until everything else gets its turn. */
  #untilTurn = 0;

  constructor(file: ImageBytes, frame: Frame, scan: Scan) {
    this.#file = file;
    this.#frame = frame;
    this.#scan = scan;
  }

  async walk(from: number): Promise<Omit<CodedScan, 'isLast'>> {
    const { interval, units: all } = this.#scan;
    const ranges: ByteRange[] = [];
    const walkSome = this.#walker();
    let start = from;
    await this.#move(from);
    try {
      for (let left = all, restarts = 0; ; restarts++) {
        const units = interval > 0 ? Math.min(interval, left) : left;
        await this.#walkUnits(units, walkSome);
        left -= units;
        const to = this.#align();
        ranges.push({ from: start, to });
        if (left === 0) return { ranges, to, isWhole: true };
        start = await this.#restart(to, RST0 + (restarts % 8));
      }
    } catch (error) {
      if (!(error instanceof TooShort)) throw error;
      return { ranges: [], to: from, isWhole: false };
    }
  }

  async #walkUnits(count: number, walkSome: Walker): Promise<void> {
    for (let left = count; left > 0; ) {
      if (this.#untilTurn <= 0) {
        await setImmediate();
        this.#untilTurn = UNITS_PER_TURN;
      }
      if (!this.#isTail && this.#view.length - this.#at < UNIT_BYTES) await this.#move(this.#base + this.#at);
      const end = this.#isTail ? Number.POSITIVE_INFINITY : this.#view.length - UNIT_BYTES;
      do {
        const walked = walkSome(left);
        left -= walked;
        this.#untilTurn -= walked;
      } while (left > 0 && this.#untilTurn > 0 && this.#at < end);
    }
  }

  #walker(): Walker {
    const { blocks, first, isRefinement } = this.#scan;
    const [{ component, ac }] = blocks as [Part];
    const inUnits = (walkUnit: () => void) => () => {
      walkUnit();
      return 1;
    };
    if (!this.#frame.isProgressive)
      return inUnits(() => {
        for (const { dc, ac } of blocks) this.#wholeBlock(dc as HuffmanTable, ac as HuffmanTable);
      });
    if (first === 0 && isRefinement) return inUnits(() => this.#skip(blocks.length));
    if (first === 0)
      return inUnits(() => {
        for (const { dc } of blocks) this.#skip(this.#symbol(dc as HuffmanTable));
      });
    component.known ??= new Uint32Array(2 * blocksOf(this.#frame, component));
    const known = component.known;
    const walkBlock = inUnits(
      isRefinement ? () => this.#refineBlock(ac as HuffmanTable, known) : () => this.#firstBlock(ac as HuffmanTable, known),
    );
    return (left) => this.#passEmpty(Math.min(left, this.#emptyBlocks), isRefinement ? known : undefined) || walkBlock();
  }

  /**
   * Passes over empty blocks: a few bits may announce 32,767.
   * @param known what those have that are refined: a block that has anything isn't passed over
   * @returns how many it were
   */
  #passEmpty(most: number, known: Uint32Array | undefined): number {
    const from = this.#block;
    const to = from + most;
    let at = known ? from : to;
    while (known && at < to && known[2 * at] === 0 && known[2 * at + 1] === 0) at++;
    this.#block = at;
    this.#emptyBlocks -= at - from;
    return at - from;
  }

  #wholeBlock(dc: HuffmanTable, ac: HuffmanTable): void {
    this.#skip(this.#symbol(dc));
    for (let k = 1; k < COEFFICIENTS; k++) {
      const symbol = this.#symbol(ac);
      const size = symbol & 15;
      if (size > 0) {
        k += symbol >> 4;
        this.#skip(size);
      } else if (symbol >> 4 < 15) return;
      else k += 15;
    }
  }

  /** Some coefficients but the first, for the first time (G.1.2.2). */
  #firstBlock(table: HuffmanTable, known: Uint32Array): void {
    const block = this.#block++;
    for (let k = this.#scan.first; k <= this.#scan.last; k++) {
      const symbol = this.#symbol(table);
      const [run, size] = [symbol >> 4, symbol & 15];
      if (size > 0) {
        k += run;
        this.#skip(size);
        note(known, block, k);
      } else if (run < 15) {
        this.#emptyBlocks = (1 << run) + this.#read(run) - 1;
        return;
      } else k += 15;
    }
  }

  /** One bit more of some coefficients (G.1.2.3): each that isn't zero has a bit, between those that become something else than zero. */
  #refineBlock(table: HuffmanTable, known: Uint32Array): void {
    const { first, last } = this.#scan;
    const block = this.#block++;
    let k = first;
    if (this.#emptyBlocks === 0) {
      for (; k <= last; k++) {
        const symbol = this.#symbol(table);
        const size = symbol & 15;
        let run = symbol >> 4;
        if (size > 0) this.#skip(1);
        else if (run < 15) {
          this.#emptyBlocks = (1 << run) + this.#read(run);
          break;
        }
        for (; k <= last; k++) {
          if (isNoted(known, block, k)) this.#skip(1);
          else if (--run < 0) break;
        }
        if (size > 0) note(known, block, k);
      }
    }
    if (this.#emptyBlocks === 0) return;
    this.#emptyBlocks--;
    for (let word = 0; word < 2; word++) {
      let noted = (known[2 * block + word] as number) & bitsBetween(k - 32 * word, last - 32 * word);
      for (; noted !== 0; noted &= noted - 1) this.#skip(1);
    }
  }

  /** The next symbol. Where there is no code, libjpeg takes 17 bits for a zero. */
  #symbol(table: HuffmanTable): number {
    if (this.#count < 17) this.#fetch();
    const count = this.#count;
    const next = count >= 16 ? this.#bits >>> (count - 16) : this.#bits << (16 - count);
    const entry = table[next & 0xffff] as number;
    const length = entry === 0 ? 17 : entry >> 8;
    if (length > count) throw new TooShort();
    this.#count -= length;
    return entry & 0xff;
  }

  #skip(bits: number): void {
    if (this.#count < bits) this.#fetch();
    if (this.#count < bits) throw new TooShort();
    this.#count -= bits;
  }

  #read(bits: number): number {
    this.#skip(bits);
    return (this.#bits >>> this.#count) & ((1 << bits) - 1);
  }

  /** Fetches bytes as long as there is room for them. Only a marker begins with 0xff, unless a zero follows, also behind further ones. */
  #fetch(): void {
    const view = this.#view;
    while (this.#count <= 24 && !this.#isStopped) {
      const byte = view[this.#at];
      if (byte === 0xff) {
        let next = this.#at + 1;
        while (view[next] === 0xff) next++;
        this.#isStopped = view[next] !== 0;
        if (this.#isStopped) return;
        this.#at = next;
      } else if (byte === undefined) {
        this.#isStopped = true;
        return;
      }
      this.#at++;
      this.#bits = (this.#bits << 8) | byte;
      this.#count += 8;
    }
  }

  /** Where the data ends, in the file: bytes that haven't been used are given back. */
  #align(): number {
    for (let unused = this.#count >> 3; unused > 0; unused--) {
      this.#at--;
      // A byte of 0xff has a zero behind it.
      if (this.#view[this.#at] === 0 && this.#view[this.#at - 1] === 0xff) this.#at--;
      while (this.#view[this.#at - 1] === 0xff) this.#at--;
    }
    this.#count = 0;
    this.#emptyBlocks = 0;
    return this.#base + this.#at;
  }

  /** Goes on behind a restart marker, and returns where it begins. */
  async #restart(at: number, expected: number): Promise<number> {
    const start = await this.#nextMarker(at);
    if (start === undefined || (await this.#file.at(start, 2))[1] !== expected) throw new TooShort();
    await this.#move(start + 2);
    return start;
  }

  async #nextMarker(at: number): Promise<number | undefined> {
    try {
      return await findMarker(this.#file, at);
    } catch (error) {
      if (error instanceof DamagedImageError) return undefined;
      throw error;
    }
  }

  /** Views the file from a place on. */
  async #move(to: number): Promise<void> {
    const from = Math.max(SOI_LENGTH, to - BEHIND);
    this.#view = from < this.#file.size ? await this.#file.some(from, BEHIND + 2 * UNIT_BYTES) : Buffer.alloc(0);
    this.#isTail = this.#view.length < BEHIND + 2 * UNIT_BYTES;
    this.#base = from;
    this.#at = to - from;
    this.#isStopped = false;
  }
}

/** The bit of a coefficient. Beyond the last one, libjpeg uses the last one. */
function note(known: Uint32Array, block: number, k: number): void {
  const at = Math.min(k, COEFFICIENTS - 1);
  known[2 * block + (at >> 5)] = (known[2 * block + (at >> 5)] as number) | (1 << (at & 31));
}

/** The bits of a word from one number to another, as far as it has them. */
function bitsBetween(first: number, last: number): number {
  const [from, to] = [Math.max(0, first), Math.min(31, last)];
  return from > to ? 0 : (-1 << from) & (-1 >>> (31 - to));
}

const isNoted = (known: Uint32Array, block: number, k: number) => (((known[2 * block + (k >> 5)] as number) >>> (k & 31)) & 1) === 1;

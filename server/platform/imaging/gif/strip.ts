import type { ByteRange, ImageBytes } from '../bytes.ts';
import { MAX_ICC_BYTES, reduceProfile } from '../colour/icc/reduce.ts';
import { DamagedImageError } from '../errors.ts';
import { type Piece, PlanBuilder, type StripPlan, UnfinishedImageError } from '../metadata/plan.ts';
import type { Size } from '../types.ts';
import { LzwWalk } from './lzw.ts';

export const GIF_HEADER_LENGTH = 13;
/** Where its width and height are. */
const SCREEN = { from: 6, to: 10 };
export const GIF_EXTENSION = 0x21;
export const GIF_IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
const DESCRIPTOR_LENGTH = 10;
/** With its four bytes between their length and the empty block. */
const CONTROL_LENGTH = 8;
const MAX_BLOCK = 255;
const END_OF_BLOCKS = Buffer.of(0);

/** Application extensions that affect rendering: repetition, and below, the colour profile. */
const REPETITION = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);
const PROFILE = 'ICCRGBG1012';
/** Introducer, label, and the length and text of the application's name. */
const APPLICATION_HEAD = 14;
/** A repetition as every program writes it: a block of three bytes, a one and the number. */
const REPETITION_LENGTH = APPLICATION_HEAD + 5;

/**
 * Walks the blocks of a GIF (GIF89a specification) up to the trailer. Reduces a colour profile to its colours. Removes comments, plain texts, other application
 * extensions (XMP among them), what is longer than its format, data that no pixel needs, and everything after the trailer.
 * @throws UnfinishedImageError if only the trailer is missing, or the size of the screen
 */
export async function planGif(file: ImageBytes): Promise<StripPlan> {
  const plan = new PlanBuilder();
  const header = Buffer.from(await file.at(0, GIF_HEADER_LENGTH));
  const palette = { from: GIF_HEADER_LENGTH, to: GIF_HEADER_LENGTH + colourTableLength(header.readUInt8(10)) };
  plan.keep(0, GIF_HEADER_LENGTH);
  // One that no picture uses may hold anything.
  let usesPalette = false;
  plan.insertLater(() => [usesPalette ? palette : { zeros: palette.to - palette.from }]);
  const extensions = new GifExtensions(file, plan);
  let at = palette.to;
  let images = 0;
  for (;;) {
    if (at >= file.size && images > 0) throw new UnfinishedImageError([{ from: 0, to: file.size }, { bytes: Buffer.of(TRAILER) }]);
    const kind = (await file.at(at, 1))[0];
    if (kind === TRAILER) break;
    if (kind === GIF_EXTENSION) at = await extensions.take(at);
    else if (kind === GIF_IMAGE) {
      const image = await readImage(file, at);
      if (images++ === 0) requireScreen(file, header, image);
      usesPalette ||= !image.hasPalette;
      extensions.control();
      for (const piece of image.pieces) plan.add(piece);
      at = image.end;
    } else throw new DamagedImageError();
  }
  if (images === 0) throw new DamagedImageError();
  plan.keep(at, at + 1);
  return plan.finish();
}

/** The packed field gives the presence and length of the colour table. */
export function colourTableLength(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0;
}

interface GifImage {
  /** The right and the bottom edge on the screen. */
  readonly right: number;
  readonly bottom: number;
  readonly hasPalette: boolean;
  /** What stays of it. */
  readonly pieces: readonly Piece[];
  readonly end: number;
}

/** Without a size of the screen, browsers take that of the first picture, and other programs nothing. @throws UnfinishedImageError */
function requireScreen(file: ImageBytes, header: Buffer, { right, bottom }: GifImage): void {
  const [width, height] = [header.readUInt16LE(SCREEN.from), header.readUInt16LE(SCREEN.from + 2)];
  if ((width > 0 && height > 0) || right > 0xffff || bottom > 0xffff) return;
  const size = Buffer.alloc(4);
  size.writeUInt16LE(Math.max(width, right));
  size.writeUInt16LE(Math.max(height, bottom), 2);
  throw new UnfinishedImageError([{ from: 0, to: SCREEN.from }, { bytes: size }, { from: SCREEN.to, to: file.size }]);
}

/** The place of a picture on the screen, and what says whether it has a table of colours. */
export async function readDescriptor(file: ImageBytes, at: number): Promise<Size & { left: number; top: number; packed: number }> {
  const descriptor = await file.at(at, DESCRIPTOR_LENGTH);
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) => descriptor.readUInt16LE(offset)) as [number, number, number, number];
  return { left, top, width, height, packed: descriptor.readUInt8(9) };
}

async function readImage(file: ImageBytes, at: number): Promise<GifImage> {
  const { left, top, width, height, packed } = await readDescriptor(file, at);
  const dataAt = at + DESCRIPTOR_LENGTH + colourTableLength(packed) + 1;
  const lzw = new LzwWalk((await file.at(dataAt - 1, 1)).readUInt8(), width * height);
  const { last, end } = await readBlocks(file, dataAt, lzw);
  const edges = { right: left + width, bottom: top + height, hasPalette: (packed & 0x80) !== 0 };
  if (last && (end === undefined || end !== last.to + 1)) {
    const pieces = cutBlocks(at, last);
    if (end === undefined) throw new UnfinishedImageError([{ from: 0, to: at }, ...pieces, { bytes: Buffer.of(TRAILER) }]);
    return { ...edges, pieces, end };
  }
  if (end === undefined) throw new DamagedImageError();
  return { ...edges, pieces: [{ from: at, to: end }], end };
}

/** The block in which the data that pixels need ends: from its length on, up to there. */
interface LastBlock extends ByteRange {
  readonly isCut: boolean;
}

/** Data consists of blocks of at most 255 bytes, the last of them empty. `end` is undefined where the file ends before, and `last` where no pixel tells. */
async function readBlocks(file: ImageBytes, from: number, lzw: LzwWalk): Promise<{ last?: LastBlock | undefined; end?: number }> {
  let last: LastBlock | undefined;
  let block: LastBlock | undefined;
  for (let at = from; at < file.size; ) {
    const view = await file.some(at, 1 + MAX_BLOCK);
    let inside = 0;
    while (inside < view.length) {
      const length = view[inside] as number;
      if (length === 0) return { last, end: at + inside + 1 };
      const to = Math.min(view.length, inside + 1 + length);
      if (to < inside + 1 + length && view.length > MAX_BLOCK) break;
      const used = last ? undefined : lzw.take(view, inside + 1, to);
      block = { from: at + inside, to: at + to, isCut: to < inside + 1 + length };
      if (used !== undefined) last = { from: block.from, to: block.from + 1 + used, isCut: used < length };
      inside += 1 + length;
    }
    at += inside;
  }
  return { last: last ?? (lzw.isFull ? block : undefined) };
}

/** A picture up to the block in which its data ends, and an empty block. */
function cutBlocks(from: number, { from: block, to, isCut }: LastBlock): Piece[] {
  const used = to - block - 1;
  if (!isCut || used === 0) return [{ from, to: used === 0 ? block : to }, { bytes: END_OF_BLOCKS }];
  return [{ from, to: block }, { bytes: Buffer.of(used) }, { from: block + 1, to }, { bytes: END_OF_BLOCKS }];
}

/** What stays of extensions. */
class GifExtensions {
  readonly #file: ImageBytes;
  readonly #plan: PlanBuilder;
  /** How the next picture is shown: what the last extension says that does. */
  #control: Piece | undefined;
  #hasProfile = false;
  #hasRepetition = false;

  constructor(file: ImageBytes, plan: PlanBuilder) {
    this.#file = file;
    this.#plan = plan;
  }

  /** Returns where it ends. */
  async take(at: number): Promise<number> {
    const label = (await this.#file.at(at, 2))[1];
    const end = await skipSubBlocks(this.#file, at + 2);
    if (label === GRAPHIC_CONTROL) this.#control = await exactly(this.#file, { from: at, to: end }, CONTROL_LENGTH, 2);
    if (label !== APPLICATION) return end;
    const application = await applicationName(this.#file, at);
    if (REPETITION.has(application) && !this.#hasRepetition) {
      const piece = await exactly(this.#file, { from: at, to: end }, REPETITION_LENGTH, APPLICATION_HEAD);
      if (piece) this.#plan.add(piece);
      this.#hasRepetition = piece !== undefined;
    } else if (application === PROFILE && !this.#hasProfile) {
      await takeProfile(this.#file, this.#plan, at, end);
      this.#hasProfile = true;
    }
    return end;
  }

  /** A picture is next. */
  control(): void {
    if (this.#control) this.#plan.add(this.#control);
    this.#control = undefined;
  }
}

/**
 * An extension that has one block of a certain length, without what it may have more. Undefined if the block is shorter.
 * @param length of the whole extension
 * @param block where its block begins
 */
async function exactly(file: ImageBytes, { from, to }: ByteRange, length: number, block: number): Promise<Piece | undefined> {
  if (to - from < length) return undefined;
  const head = Buffer.from(await file.at(from, length));
  const size = length - block - 2;
  if (head.readUInt8(block) < size) return undefined;
  if (to - from === length) return { from, to };
  head.writeUInt8(size, block);
  head.writeUInt8(0, length - 1);
  return { bytes: head };
}

async function applicationName(file: ImageBytes, at: number): Promise<string> {
  const length = (await file.at(at, 3))[2];
  return length === APPLICATION_HEAD - 3 ? (await file.at(at + 3, length)).toString('latin1') : '';
}

async function takeProfile(file: ImageBytes, plan: PlanBuilder, at: number, end: number): Promise<void> {
  if (end - at > MAX_ICC_BYTES) return;
  const extension = await file.copy({ from: at, to: end });
  const profile = joinSubBlocks(extension.subarray(APPLICATION_HEAD));
  const reduced = reduceProfile(profile);
  if (!reduced) return;
  if (reduced.equals(profile)) plan.keep(at, end);
  else plan.insert(Buffer.concat([extension.subarray(0, APPLICATION_HEAD), ...subBlocks(reduced), Buffer.of(0)]));
}

/** Byte by byte: a buffer for each block, which may hold a single byte, would take far more time and memory than the data. */
function joinSubBlocks(blocks: Buffer): Buffer {
  const data = Buffer.allocUnsafe(blocks.length);
  let length = 0;
  let next = 0;
  for (let at = 0; at < blocks.length; at++) {
    const byte = blocks[at] as number;
    if (at < next) data[length++] = byte;
    else if (byte === 0) break;
    else next = at + 1 + byte;
  }
  return data.subarray(0, length);
}

function subBlocks(data: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(data.length / 255) }, (_, i) => {
    const part = data.subarray(i * 255, (i + 1) * 255);
    return Buffer.concat([Buffer.of(part.length), part]);
  });
}

/** Returns where blocks end, the last of which is empty. Walks within a view without waiting. */
export async function skipSubBlocks(file: ImageBytes, from: number): Promise<number> {
  let at = from;
  for (;;) {
    const view = await file.some(at);
    let inside = 0;
    while (inside < view.length) {
      const length = view[inside] ?? 0;
      inside += 1 + length;
      if (length === 0) return at + inside;
    }
    at += inside;
  }
}

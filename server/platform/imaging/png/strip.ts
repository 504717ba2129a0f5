import { promisify } from 'node:util';
import { constants, deflate, inflateRaw } from 'node:zlib';
import type { ImageBytes } from '../bytes.ts';
import { MAX_ICC_BYTES, reduceProfile } from '../colour/icc/reduce.ts';
import { DamagedImageError } from '../errors.ts';
import { keptExif, readExif } from '../metadata/exif.ts';
import { type KeptRights, type Piece, PlanBuilder, type StripPlan, UnfinishedImageError } from '../metadata/plan.ts';
import type { Rights } from '../metadata/rights.ts';
import { XMP_KEYWORD, xmpPacket } from '../metadata/xmp.ts';
import { type Chunk, chunkAt, chunkOf, completedChunk, isIntact, SIGNATURE_LENGTH } from './chunks.ts';
import { type PngHeader, PngPixels } from './pixels.ts';
import { PngTexts } from './texts.ts';

const deflated = promisify(deflate);
const inflated = promisify(inflateRaw);

const ICC_NAME = 'icc';
const ZLIB_HEADER = 2;
const PALETTE = 3;
const END = chunkOf('IEND', Buffer.alloc(0));

/** Lengths of the chunks that determine colours, size and animation (PNG, third edition); of some, by the type of colours. */
const LENGTHS: Readonly<Record<string, number | Readonly<Record<number, number>>>> = {
  ...{ IHDR: 13, acTL: 8, cHRM: 32, gAMA: 4, sRGB: 1, cICP: 4, mDCV: 24, cLLI: 8, pHYs: 9 },
  sBIT: { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 },
  bKGD: { 0: 2, 2: 6, 3: 1, 4: 2, 6: 6 },
  tRNS: { 0: 2, 2: 6 },
};
const FRAME_CONTROL_LENGTH = 26;

/**
 * Walks the chunks of a PNG or APNG up to IEND and verifies the checksums of those that stay. Keeps what decoders read, once, where they read it, and in its
 * length. Removes texts, time, EXIF, other chunks and everything after the picture; writes the orientation that browsers apply and the rights that stay back.
 * @throws UnfinishedImageError if only the end is missing
 */
export async function planPng(file: ImageBytes, rights?: KeptRights): Promise<StripPlan> {
  const plan = new PlanBuilder(rights);
  const texts = new PngTexts();
  plan.keep(0, SIGNATURE_LENGTH);
  const walk = new PngWalk(file, plan, await readHeader(file));
  let at = SIGNATURE_LENGTH;
  for (;;) {
    const chunk = await chunkAt(file, at);
    if (!chunk) throw await walk.faultAtEnd(at);
    const { type, data } = chunk;
    if ((at === SIGNATURE_LENGTH) !== (type === 'IHDR')) throw new DamagedImageError();
    if (type === 'IEND') break;
    if (!(await walk.take(chunk))) {
      if (isCritical(type)) throw new DamagedImageError();
      if (type === 'eXIf') await replaceExif(file, plan, chunk, walk.hasPixels);
      else if (rights === 'own') await texts.read(file, type, data);
    }
    at = chunk.to;
  }
  await walk.endPixels();
  if (!walk.hasPixels) throw new DamagedImageError();
  if (!plan.exif) plan.insertLater((kept) => metadataChunks(1, kept));
  if (END.equals(await file.at(at, END.length))) plan.keep(at, at + END.length);
  else plan.insert(END);
  await plan.note('texts', async () => texts.rights());
  return plan.finish();
}

async function readHeader(file: ImageBytes): Promise<PngHeader> {
  const data = await file.at(SIGNATURE_LENGTH + 8, 13);
  const [width, height] = [data.readUInt32BE(), data.readUInt32BE(4)];
  return { width, height, depth: data.readUInt8(8), type: data.readUInt8(9), isInterlaced: data.readUInt8(12) === 1 };
}

/** The chunks that decoders read. */
class PngWalk {
  readonly #file: ImageBytes;
  readonly #plan: PlanBuilder;
  readonly #header: PngHeader;
  /** Chunks that there may be only once. */
  readonly #seen = new Set<string>();
  /** The picture or frame whose data was last, or is next. */
  #pixels: PngPixels;
  /** Which data may follow: that of the picture, which is in IDAT, or that of a frame. */
  #next: 'IDAT' | 'fdAT' | undefined = 'IDAT';
  #isInside = false;
  /** The number of frames that are announced, and of those that have begun. */
  #frames = 0;
  #begun = 0;
  #colours = 0;

  constructor(file: ImageBytes, plan: PlanBuilder, header: PngHeader) {
    this.#file = file;
    this.#plan = plan;
    this.#header = header;
    this.#pixels = new PngPixels(file, header);
  }

  get hasPixels(): boolean {
    return this.#seen.has('IDAT');
  }

  /** @returns false for a chunk that isn't among them */
  async take(chunk: Chunk): Promise<boolean> {
    const { type } = chunk;
    if (type !== this.#next) await this.endPixels();
    if (type === 'IDAT' || type === 'fdAT') await this.#takePixels(chunk);
    else if (type === 'fcTL') await this.#takeFrame(chunk);
    else if (type === 'PLTE') await this.#takePalette(chunk);
    else if (type === 'iCCP') await this.#takeProfile(chunk);
    else if (type in LENGTHS) await this.#takeFixed(chunk);
    else return false;
    return true;
  }

  /** Pixels that have begun have ended: whatever follows isn't part of them. */
  async endPixels(): Promise<void> {
    if (!this.#isInside) return;
    this.#isInside = false;
    this.#next = undefined;
    for (const piece of await this.#pixels.pieces()) this.#plan.add(piece);
  }

  /** What is wrong if the file ends at this place, or in the chunk that begins there: only the end is missing if all pixels are there. */
  async faultAtEnd(at: number): Promise<Error> {
    const head = at + 8 < this.#file.size ? await this.#file.at(at, 8) : undefined;
    const rest = head && { type: head.toString('latin1', 4), from: at + 8, to: Math.min(this.#file.size, at + 8 + head.readUInt32BE()) };
    const isCut = rest !== undefined && rest.type === this.#next;
    if (isCut) this.#pixels.take(rest.type, rest);
    const isLast = (this.hasPixels || isCut) && this.#begun >= this.#frames;
    if (!isLast || !(await this.#pixels.isComplete())) return new DamagedImageError();
    const completed = isCut ? await completedChunk(this.#file, rest.type, rest) : [];
    return new UnfinishedImageError([{ from: 0, to: at }, ...completed, { bytes: END }]);
  }

  async #takePixels(chunk: Chunk): Promise<void> {
    const { type, data } = chunk;
    if (type !== this.#next) return;
    await verifyChecksum(this.#file, chunk);
    this.#seen.add(type);
    this.#isInside = true;
    this.#pixels.take(type, data);
  }

  async #takeFrame(chunk: Chunk): Promise<void> {
    const { data } = chunk;
    const isFirst = this.#begun === 0 && !this.hasPixels;
    if (data.to - data.from !== FRAME_CONTROL_LENGTH || this.#begun >= this.#frames || !(isFirst || this.hasPixels)) return;
    await this.#keep(chunk);
    this.#begun++;
    if (isFirst) return;
    const control = await this.#file.at(data.from, FRAME_CONTROL_LENGTH);
    const header = { ...this.#header, width: control.readUInt32BE(4), height: control.readUInt32BE(8) };
    this.#pixels = new PngPixels(this.#file, header, this.#pixels);
    this.#next = 'fdAT';
  }

  /** Only pictures that have no colours of their own need a palette, and only as many as they can count. */
  async #takePalette(chunk: Chunk): Promise<void> {
    const { data } = chunk;
    if (this.#header.type !== PALETTE || !this.#isFirst(chunk)) return;
    this.#colours = Math.min(Math.floor((data.to - data.from) / 3), 2 ** this.#header.depth);
    const length = 3 * this.#colours;
    if (data.to - data.from === length) return this.#keep(chunk);
    await verifyChecksum(this.#file, chunk);
    this.#plan.insert(chunkOf('PLTE', await this.#file.copy({ from: data.from, to: data.from + length })));
  }

  async #takeFixed(chunk: Chunk): Promise<void> {
    const { type, data } = chunk;
    const [length, isTransparency] = [data.to - data.from, type === 'tRNS'];
    const expected = LENGTHS[type] as (typeof LENGTHS)[string];
    const isFitting =
      isTransparency && this.#header.type === PALETTE
        ? length > 0 && length <= this.#colours
        : length === (typeof expected === 'number' ? expected : expected[this.#header.type]);
    if (!isFitting && type === 'IHDR') throw new DamagedImageError();
    if (!isFitting || !this.#isFirst(chunk)) return;
    await this.#keep(chunk);
    if (type === 'acTL') this.#frames = (await this.#file.at(data.from, 4)).readUInt32BE();
  }

  /** Whether it is the first of its type, in front of the pixels. */
  #isFirst({ type }: Chunk): boolean {
    if (this.hasPixels || this.#seen.has(type)) return false;
    this.#seen.add(type);
    return true;
  }

  async #keep(chunk: Chunk): Promise<void> {
    await verifyChecksum(this.#file, chunk);
    this.#plan.keep(chunk.from, chunk.to);
  }

  /** The name of a profile is free text from the program that wrote it; the reduced one has the name that most programs write. */
  async #takeProfile(chunk: Chunk): Promise<void> {
    const { from, to, data: place } = chunk;
    if (!this.#isFirst(chunk)) return;
    await verifyChecksum(this.#file, chunk);
    if (to - from > MAX_ICC_BYTES) return;
    const data = await this.#file.copy(place);
    const nameEnd = data.subarray(0, 80).indexOf(0);
    // After the name: the compression method, of which there is only one.
    if (nameEnd < 1 || data[nameEnd + 1] !== 0) return;
    const profile = await inflateProfile(data.subarray(nameEnd + 2));
    const reduced = profile && reduceProfile(profile);
    if (!profile || !reduced) return;
    const isReduced = reduced.equals(profile) && data.toString('latin1', 0, nameEnd) === ICC_NAME;
    if (isReduced) this.#plan.keep(from, to);
    else this.#plan.insert(chunkOf('iCCP', Buffer.concat([Buffer.from(`${ICC_NAME}\0\0`, 'latin1'), await deflated(reduced)])));
  }
}

/** An upper-case first letter: a decoder that doesn't know the chunk must reject the file. */
function isCritical(type: string): boolean {
  return /^[^a-z]/.test(type);
}

async function verifyChecksum(file: ImageBytes, chunk: Chunk): Promise<void> {
  if (!(await isIntact(file, chunk))) throw new DamagedImageError();
}

/** As browsers do, ignores the orientation in an EXIF that is damaged, isn't the first, or follows pixels. */
async function replaceExif(file: ImageBytes, plan: PlanBuilder, chunk: Chunk, isLate: boolean): Promise<void> {
  if (plan.exif || !(await isIntact(file, chunk))) return;
  const exif = await readExif(file, chunk.data);
  const orientation = isLate ? 1 : exif.orientation;
  plan.exif = { ...exif, orientation };
  plan.insertLater((rights) => metadataChunks(orientation, rights));
}

function metadataChunks(orientation: number, rights: Rights): Piece[] {
  const exif = keptExif(orientation, rights);
  const packet = xmpPacket(rights);
  const text = packet && Buffer.concat([Buffer.from(`${XMP_KEYWORD}\0\0\0\0\0`), packet]);
  const chunks = [...(exif ? [chunkOf('eXIf', exif)] : []), ...(text ? [chunkOf('iTXt', text)] : [])];
  return chunks.map((bytes) => ({ bytes }));
}

/** As libpng reads it: what matters is that the profile is complete, not what follows it, such as zlib's checksum. Undefined for a damaged or too large one. */
async function inflateProfile(data: Buffer): Promise<Buffer | undefined> {
  if (!hasZlibHeader(data)) return undefined;
  try {
    const options = { maxOutputLength: MAX_ICC_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
    const profile = await inflated(data.subarray(ZLIB_HEADER), options);
    const length = profile.length < 4 ? Number.POSITIVE_INFINITY : profile.readUInt32BE();
    return length <= profile.length ? profile.subarray(0, length) : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** RFC 1950 §2.2: deflate, a window of up to 32 KB, no dictionary, and a check of both bytes. */
function hasZlibHeader(data: Buffer): boolean {
  if (data.length < ZLIB_HEADER) return false;
  const [both, method, window] = [data.readUInt16BE(), data.readUInt8() & 15, data.readUInt8() >> 4];
  return both % 31 === 0 && method === 8 && window <= 7 && (both & 0x20) === 0;
}

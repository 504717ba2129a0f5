import type { ImageBytes } from '../bytes.ts';
import { MAX_ICC_BYTES, reduceProfile } from '../colour/icc/reduce.ts';
import { DamagedImageError } from '../errors.ts';
import { PlanBuilder, type StripPlan } from './plan.ts';

const HEADER_LENGTH = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** Application extensions that affect rendering: repetition, and below, the colour profile. */
const KEPT_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);
const PROFILE = 'ICCRGBG1012';
/** Introducer, label, and the length and text of the application's name. */
const APPLICATION_HEAD = 14;

/**
 * Walks the blocks of a GIF (GIF89a specification) up to the trailer. Reduces a colour profile to its colours. Removes comments, plain texts, other application
 * extensions (XMP among them) and everything after the trailer.
 */
export async function planGif(file: ImageBytes): Promise<StripPlan> {
  const plan = new PlanBuilder();
  let at = HEADER_LENGTH + colourTableLength((await file.at(0, HEADER_LENGTH)).readUInt8(10));
  plan.keep(0, at);
  let images = 0;
  let hasProfile = false;
  for (;;) {
    const kind = (await file.at(at, 1))[0];
    if (kind === TRAILER) break;
    if (kind === EXTENSION) {
      const end = await skipSubBlocks(file, at + 2);
      const label = (await file.at(at, 2))[1];
      const application = label === APPLICATION ? await applicationName(file, at) : '';
      if (application === PROFILE) {
        if (!hasProfile) await takeProfile(file, plan, at, end);
        hasProfile = true;
      } else if (label === GRAPHIC_CONTROL || KEPT_APPLICATIONS.has(application)) plan.keep(at, end);
      at = end;
    } else if (kind === IMAGE) {
      const end = await skipImage(file, at);
      plan.keep(at, end);
      at = end;
      images++;
    } else throw new DamagedImageError();
  }
  if (images === 0) throw new DamagedImageError();
  plan.keep(at, at + 1);
  return plan.finish();
}

/** The packed field gives the presence and length of the colour table. */
function colourTableLength(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0;
}

async function skipImage(file: ImageBytes, at: number): Promise<number> {
  const packed = (await file.at(at, 10)).readUInt8(9);
  return skipSubBlocks(file, at + 10 + colourTableLength(packed) + 1);
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

/** Data consists of blocks of at most 255 bytes, the last of them empty. Walks within a view without waiting. */
async function skipSubBlocks(file: ImageBytes, from: number): Promise<number> {
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

import { createHash } from 'node:crypto';
import { ArrivingBytes } from '#server/platform/imaging/arriving.ts';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { type JpegHead, planJpeg } from '#server/platform/imaging/jpeg/strip.ts';
import { type KeptRights, type Piece, planLength, type StripPlan } from '#server/platform/imaging/metadata/plan.ts';
import { writeStripped } from '#server/platform/imaging/metadata/strip.ts';
import { sniff } from '#server/platform/imaging/sniff.ts';

/** A JPEG whose part in front of the first scan is longer is written as it is: it may hold a whole depth map. */
const MAX_HEAD_BYTES = 256 * 1024;

/** What was written instead of the beginning of a file. */
export interface ReplacedHead {
  readonly original: Uint8Array;
  /** How many bytes were written in its place. */
  readonly length: number;
}

/** A JPEG without its metadata. */
export interface Stripped {
  /** The plan of `planStrip` for the bytes that were sent. */
  readonly plan: StripPlan;
  readonly sha256: string;
  /** What follows in the file isn't part of it. */
  readonly size: number;
}

export interface StripOutcome {
  head?: ReplacedHead;
  stripped?: Stripped;
}

/** Decides, as the bytes of a file arrive, what to write of them. */
export interface Stripping {
  /** @returns what to write now, before `bytes` is used again */
  take(bytes: Buffer): Promise<readonly Uint8Array[]>;
  /** Call it once everything has arrived. */
  end(): Promise<{ toWrite: readonly Uint8Array[]; outcome: StripOutcome }>;
  /** The rest will never arrive. */
  abandon(): Promise<void>;
}

/**
 * Writes a JPEG without the metadata in front of its first scan, while it arrives (decision 157). The same walk that plans the removal of metadata from a
 * complete file runs as far as there are bytes. Its plan is used if, beyond the head, it only cuts off what follows the picture; otherwise, the head that was
 * replaced makes it possible to restore the file.
 */
export function stripArriving(rights: KeptRights): Stripping {
  const arriving = new ArrivingBytes(MAX_HEAD_BYTES);
  const stored = createHash('sha256');
  let planning: Promise<StripPlan | undefined> | undefined;
  let plan: StripPlan | undefined;
  /** The head, once it is complete. */
  let found: (JpegHead & { original: Buffer; rest: Buffer }) | undefined;
  let written: Buffer | undefined;
  /** Of what has been written after the head. */
  let end = 0;
  let isPlain = false;

  function onFirstScan(head: JpegHead) {
    if (head.end > MAX_HEAD_BYTES) throw new RangeError('the head is too long');
    const { held } = arriving;
    found = { ...head, original: Buffer.from(held.subarray(0, head.end)), rest: held.subarray(head.end) };
    arriving.release();
  }

  async function walk(): Promise<StripPlan | undefined> {
    await using file = ImageBytes.arriving(arriving);
    try {
      plan = await planJpeg(file, rights, onFirstScan);
      return plan;
    } catch {
      return undefined; // whatever the reason: what reads the complete file will find it, and report it
    }
  }

  function takeTail(bytes: Buffer): Buffer {
    const length = (plan ? endOf(plan) : Number.POSITIVE_INFINITY) - end;
    stored.update(bytes.subarray(0, Math.max(0, length)));
    end += bytes.length;
    return bytes;
  }

  async function takeHead(): Promise<readonly Uint8Array[]> {
    if (!found) {
      if (!arriving.isClosed) return [];
      isPlain = true;
      return [arriving.held];
    }
    const { original, rest } = found;
    written = await assemble(original, found.pieces);
    stored.update(written);
    end = original.length;
    return [written, takeTail(rest)];
  }

  return {
    async take(bytes) {
      if (!planning && sniff(bytes) !== 'jpeg') isPlain = true;
      if (isPlain) return [bytes];
      planning ??= walk();
      await arriving.push(bytes);
      return written ? [takeTail(bytes)] : takeHead();
    },
    async end() {
      if (isPlain || !planning) return { toWrite: [], outcome: {} };
      await arriving.end();
      await planning;
      const toWrite = written ? [] : await takeHead();
      return { toWrite, outcome: outcome() };
    },
    async abandon() {
      if (planning) await arriving.end();
      await planning;
    },
  };

  function outcome(): StripOutcome {
    if (!found || !written) return {};
    const { original, pieces } = found;
    const head = written.equals(original) ? {} : { head: { original, length: written.length } };
    if (!plan?.jpeg || !isContinued(pieces, plan.pieces)) return head;
    return { ...head, stripped: { plan, sha256: stored.digest('hex'), size: planLength(plan) } };
  }
}

async function assemble(original: Buffer, pieces: readonly Piece[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  await writeStripped({ path: '', bytes: original }, { pieces }, { write: async (bytes) => void parts.push(Buffer.from(bytes)) });
  return Buffer.concat(parts);
}

/** Where the last piece of a plan ends. */
function endOf({ pieces }: StripPlan): number {
  const last = pieces.at(-1);
  return last && 'to' in last ? last.to : 0;
}

/** Whether the pieces of a file are those of its head, the last one being longer. */
function isContinued(head: readonly Piece[], whole: readonly Piece[]): boolean {
  return head.length === whole.length && head.every((piece, i) => isSame(piece, whole[i] as Piece, i === head.length - 1));
}

function isSame(piece: Piece, other: Piece, isLast: boolean): boolean {
  if ('to' in piece) return 'to' in other && piece.from === other.from && (isLast ? piece.to <= other.to : piece.to === other.to);
  if ('bytes' in piece) return 'bytes' in other && Buffer.compare(piece.bytes, other.bytes) === 0;
  return 'zeros' in other && piece.zeros === other.zeros;
}

import type { ByteRange, ImageBytes } from '../bytes.ts';
import type { Colours } from '../colour/description.ts';
import { coloursOf } from '../colour/icc/colours.ts';
import { MAX_ICC_BYTES, reduceProfile } from '../colour/icc/reduce.ts';
import type { Piece } from '../metadata/plan.ts';
import { headSegments, isFrame, type JpegSegment, SOI_LENGTH } from './segments.ts';

export const ICC_MARKER = 0xe2;
export const ICC_NAME = 'ICC_PROFILE\0';
/** Marker, length, name, number of the part and number of parts. */
const ICC_HEAD = 4 + ICC_NAME.length + 2;
const MAX_ICC_PART = 0xffff - (ICC_HEAD - 2);

/** The ICC profile in front of a scan: a walk takes its segments, and settles it when it gets to the scan. */
export class JpegProfile {
  /**
   * Those that count, by number. As in libvips, the announced number of segments is only a hint, and of segments with the same number the first
   * counts.
   */
  readonly #segments = new Map<number, ByteRange>();
  #pieces: ReadonlyMap<number, readonly Piece[]> | undefined;
  #first: number | undefined;

  /** Whether something may stay in the place of this segment: see {@link piecesAt}. */
  async take(file: ImageBytes, { from, to }: ByteRange): Promise<boolean> {
    if (this.#pieces) return false;
    this.#first ??= from;
    if (to - from < ICC_HEAD) return from === this.#first;
    const number = (await file.at(from, ICC_HEAD)).readUInt8(ICC_HEAD - 2);
    if (this.#segments.has(number)) return false;
    this.#segments.set(number, { from, to });
    return true;
  }

  /** Decides what stays: all segments, or in the place of the first one a reduced profile. */
  async settle(file: ImageBytes): Promise<void> {
    if (this.#first !== undefined) this.#pieces ??= await this.#reduce(file, this.#first);
  }

  /** What takes the place of the segment that begins at an offset, once the profile is settled. */
  piecesAt(from: number): readonly Piece[] {
    return this.#pieces?.get(from) ?? [];
  }

  /** The profile; undefined if there is none or it is too large. */
  async read(file: ImageBytes): Promise<Buffer | undefined> {
    const segments = this.#sorted();
    if (segments.length === 0 || segments.reduce((sum, { from, to }) => sum + to - from, 0) > MAX_ICC_BYTES) return undefined;
    const contents: Buffer[] = [];
    for (const { from, to } of segments) contents.push(await file.copy({ from: from + ICC_HEAD, to }));
    return Buffer.concat(contents);
  }

  #sorted(): ByteRange[] {
    return [...this.#segments].sort(([a], [b]) => a - b).map(([, range]) => range);
  }

  async #reduce(file: ImageBytes, first: number): Promise<ReadonlyMap<number, readonly Piece[]>> {
    const profile = await this.read(file);
    const reduced = profile && reduceProfile(profile);
    if (profile && reduced?.equals(profile)) return new Map(this.#sorted().map((segment) => [segment.from, [segment]]));
    return new Map(reduced && [[first, profileSegments(reduced).map((bytes) => ({ bytes }))]]);
  }
}

/** Whether a segment is part of a profile. */
export async function isIcc(file: ImageBytes, { marker, from, to }: JpegSegment): Promise<boolean> {
  if (marker !== ICC_MARKER || to - from < 4 + ICC_NAME.length) return false;
  return (await file.at(from + 4, ICC_NAME.length)).toString('latin1') === ICC_NAME;
}

/** A profile as segments. */
export function profileSegments(profile: Buffer): Buffer[] {
  const count = Math.ceil(profile.length / MAX_ICC_PART);
  return Array.from({ length: count }, (_, i) => {
    const part = profile.subarray(i * MAX_ICC_PART, (i + 1) * MAX_ICC_PART);
    const head = Buffer.alloc(ICC_HEAD);
    head.writeUInt16BE(0xff00 | ICC_MARKER);
    head.writeUInt16BE(ICC_HEAD - 2 + part.length, 2);
    head.write(ICC_NAME, 4, 'latin1');
    head.writeUInt8(i + 1, ICC_HEAD - 2);
    head.writeUInt8(count, ICC_HEAD - 1);
    return Buffer.concat([head, part]);
  });
}

const SPACES = { 1: 'GRAY', 4: 'CMYK' } as const;

/** The colours of a JPEG: those of its profile, or those that all browsers give it. @throws ImageError when its head is damaged */
export async function readJpegColours(file: ImageBytes): Promise<Colours> {
  const parts = new JpegProfile();
  let components = 3;
  for await (const segment of headSegments(file)) {
    if (await isIcc(file, segment)) await parts.take(file, segment);
    else if (isFrame(segment.marker)) components = (await file.at(segment.from + 9, 1)).readUInt8();
  }
  const profile = await parts.read(file);
  const colours = profile ? coloursOf(profile, SPACES[components as keyof typeof SPACES] ?? 'RGB ') : 'srgb';
  return components === 4 && colours !== 'profile' ? 'ink' : colours;
}

/** A copy of a JPEG with another profile. */
export async function withJpegProfile(picture: Uint8Array, file: ImageBytes, profile: Buffer): Promise<Buffer> {
  const pieces: Uint8Array[] = [picture.subarray(0, SOI_LENGTH), ...profileSegments(profile)];
  let end = SOI_LENGTH;
  for await (const segment of headSegments(file)) {
    if (!(await isIcc(file, segment))) pieces.push(picture.subarray(segment.from, segment.to));
    end = segment.to;
  }
  return Buffer.concat([...pieces, picture.subarray(end)]);
}

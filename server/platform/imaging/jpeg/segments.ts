import type { ByteRange, ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';

export const SOI_LENGTH = 2;
export const EOI = 0xd9;
export const SOS = 0xda;
/** Tables, and the interval between restart markers. */
export const [DHT, DQT, DRI] = [0xc4, 0xdb, 0xdd];
export const TABLES: ReadonlySet<number> = new Set([DHT, DQT, DRI]);

/** A segment with its marker and its length. */
export interface JpegSegment extends ByteRange {
  readonly marker: number;
}

/** The segments of a JPEG (ITU-T T.81) in front of its first scan, from `start`. */
export async function* headSegments(file: ImageBytes, start = SOI_LENGTH): AsyncGenerator<JpegSegment> {
  for (let at = start; ; ) {
    const from = await findMarker(file, at);
    const marker = (await file.at(from, 2)).readUInt8(1);
    if (marker === EOI || marker === SOS) return;
    const to = from + 2 + (isBare(marker) ? 0 : await segmentLength(file, from));
    if (!isBare(marker)) yield { marker, from, to };
    at = to;
  }
}

/** The length of a segment without its marker. */
export async function segmentLength(file: ImageBytes, at: number): Promise<number> {
  const length = (await file.at(at + 2, 2)).readUInt16BE();
  if (length < 2 || at + 2 + length > file.size) throw new DamagedImageError();
  return length;
}

/** Any start of frame: 0xc0 to 0xcf except tables, JPEG's extension, and arithmetic conditioning. */
export function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Samples per pixel, from the sampling factors of the components: 3 for 4:4:4, 1.5 for 4:2:0. */
export function samplesPerPixel(components: readonly { across: number; down: number }[]): number {
  const most = (factors: number[]) => Math.max(...factors);
  const whole = most(components.map(({ across }) => across)) * most(components.map(({ down }) => down));
  return components.reduce((sum, { across, down }) => sum + across * down, 0) / whole;
}

/** Markers without a length: restart markers, TEM, and start of image. */
export function isBare(marker: number): boolean {
  return isRestart(marker) || marker === 0x01 || marker === 0xd8;
}

export function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

function isStuffing(code: number): boolean {
  return code === 0;
}

/** Whether to pass over a 0xff with this code behind it. @param at where the 0xff is in the view */
type Skip = (code: number, view: Buffer, at: number) => boolean;

/** The next 0xff that begins a marker. Skips fill bytes, stuffed zeros and bytes that decoders ignore between segments. */
export async function findMarker(file: ImageBytes, from: number, skip: Skip = isStuffing): Promise<number> {
  for (let at = from; ; ) {
    const view = await file.some(at);
    const found = findInView(view, skip);
    if (found < view.length - 1) return at + found;
    // The last byte may be the first half of a marker. Reading both halves moves the view, or reaches the end of the file.
    at += found;
    if (view[found] === 0xff) await file.at(at, 2);
  }
}

/** The index of a marker in the view; the last index when the view ends within one, and the view's length without one. */
function findInView(view: Buffer, skip: Skip): number {
  let at = view.indexOf(0xff);
  while (at !== -1 && at + 1 < view.length) {
    const code = view[at + 1] ?? 0;
    if (code === 0xff) at += 1;
    else if (skip(code, view, at)) at = view.indexOf(0xff, at + 2);
    else return at;
  }
  return at === -1 ? view.length : at;
}

/** A segment whose content begins with a name. */
export function segmentOf(marker: number, name: string, data: Uint8Array): Buffer {
  const head = Buffer.from(`\xff\0\0\0${name}`, 'latin1');
  head.writeUInt8(marker, 1);
  head.writeUInt16BE(head.length - 2 + data.length, 2);
  return Buffer.concat([head, data]);
}

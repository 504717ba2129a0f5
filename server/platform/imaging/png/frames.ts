import type { ByteRange, ImageBytes } from '../bytes.ts';
import type { Size } from '../types.ts';
import { chunkOf, pngChunks, SIGNATURE_LENGTH } from './chunks.ts';

/** The frames of an APNG, as its `acTL` chunk says, which must come before the first pixels; 1 for other PNGs. */
export async function countApngFrames(file: ImageBytes): Promise<number> {
  for await (const { type, data } of pngChunks(file)) {
    if (type === 'acTL') return Math.max(1, (await file.at(data.from, 4)).readUInt32BE());
    if (type === 'IDAT' || type === 'IEND') break;
  }
  return 1;
}

/** The first frame of an animation, as a picture of its own, and its place on the canvas. */
export interface FirstFrame extends Size {
  readonly left: number;
  readonly top: number;
  readonly picture: Buffer;
}

/**
 * The first frame of an APNG whose still picture isn't part of the animation: that is for programs that don't know APNG, such as libvips, and browsers never show it.
 * Undefined for every other PNG.
 */
export async function hiddenApngFrame(file: ImageBytes): Promise<FirstFrame | undefined> {
  /** In front of the still picture: the header, and what holds for all frames. */
  const head: ByteRange[] = [];
  const pixels: ByteRange[] = [];
  let place: Omit<FirstFrame, 'picture'> | undefined;
  let [isAnimated, hasStill] = [false, false];
  for await (const { type, from, to, data } of pngChunks(file)) {
    if (type === 'IEND' || (pixels.length > 0 && type !== 'fdAT')) break;
    if (type === 'IDAT') {
      if (!isAnimated) return undefined;
      hasStill = true;
    } else if (type === 'fcTL') {
      if (!hasStill) return undefined;
      place ??= await placeOf(file, data.from);
    } else if (type === 'fdAT') {
      // Its data begins with a number.
      if (place) pixels.push({ from: data.from + 4, to: data.to });
    } else if (type === 'acTL') isAnimated ||= !hasStill;
    else if (!hasStill) head.push({ from, to });
  }
  const [header, ...others] = await Promise.all(head.map((chunk) => file.copy(chunk)));
  if (!place || !header || pixels.length === 0) return undefined;
  const ihdr = Buffer.from(header.subarray(8, -4));
  const [width, height] = [ihdr.readUInt32BE(), ihdr.readUInt32BE(4)];
  if (place.width === 0 || place.height === 0 || place.left + place.width > width || place.top + place.height > height) return undefined;
  ihdr.writeUInt32BE(place.width);
  ihdr.writeUInt32BE(place.height, 4);
  const signature = await file.copy({ from: 0, to: SIGNATURE_LENGTH });
  const idat = await Promise.all(pixels.map(async (chunk) => chunkOf('IDAT', await file.copy(chunk))));
  const picture = Buffer.concat([signature, chunkOf('IHDR', ihdr), ...others, ...idat, chunkOf('IEND', Buffer.alloc(0))]);
  return { ...place, picture };
}

async function placeOf(file: ImageBytes, at: number) {
  const control = await file.at(at, 20);
  const [width, height, left, top] = [4, 8, 12, 16].map((field) => control.readUInt32BE(field)) as [number, number, number, number];
  return { width, height, left, top };
}

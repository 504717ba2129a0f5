import type { Size } from '../../types.ts';
import { sharp } from '../sharp/sharp.ts';
import type { GreyPicture } from './types.ts';

export async function resized({ width, height, pixels }: GreyPicture, to: Size): Promise<GreyPicture> {
  if (width === to.width && height === to.height) return { width, height, pixels };
  const picture = sharp(pixels, { raw: { width, height, channels: 1 } }).resize(to.width, to.height, { fit: 'fill', kernel: 'lanczos3' });
  const { data, info } = await picture.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/** A size of the same shape that has at most this many pixels. */
export function withinPixels({ width, height }: Size, pixels: number): Size {
  const scale = Math.min(1, Math.sqrt(pixels / (width * height)));
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

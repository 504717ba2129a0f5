import { readSvgSize } from '../../svg/header.ts';
import type { ImageLimits, Size, SniffedFormat } from '../../types.ts';
import type { Files } from '../files.ts';
import { openPicture, withDecodeErrors } from '../sharp/open.ts';
import { sharp } from '../sharp/sharp.ts';
import { drawInThread } from '../threads/thread.ts';
import type { GreyPicture } from './types.ts';

interface Preparation {
  format: SniffedFormat | undefined;
  limits: ImageLimits;
  /** Pixels of the result at most. */
  pixels: number;
}

/** A picture in which text is recognised. */
export interface PreparedPicture {
  /** A grey PNG. */
  picture: Uint8Array;
  width: number;
  /** The size of the upright original. */
  original: Size;
}

/** Pixels of the longer side of a drawing at most. */
const DRAWN_SIDE = 2_000;

/** The picture upright, in grey, on white. The first frame of an animation. */
export async function prepareForText(
  { format, limits, pixels }: Preparation,
  { picture }: Pick<Files, 'picture'>,
): Promise<PreparedPicture> {
  const drawing = format === 'svg' ? await readSvgSize(picture) : undefined;
  const source = drawing ? await drawInThread(picture, DRAWN_SIDE) : picture;
  return withDecodeErrors(async () => {
    const { image, isTurned } = await openPicture(source, { limits, isStored: true });
    const inFile = await image.metadata();
    const [width, height] = isTurned ? [inFile.height, inFile.width] : [inFile.width, inFile.height];
    const size = withinPixels({ width, height }, pixels);
    const scaled = image.flatten({ background: 'white' }).resize(size.width, size.height, { fit: 'fill' });
    const encoded = scaled.greyscale().png({ compressionLevel: 1 });
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    return { picture: data, width: info.width, original: drawing ?? { width, height } };
  });
}

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

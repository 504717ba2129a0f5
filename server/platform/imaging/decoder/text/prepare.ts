import { readSvgSize } from '../../svg/header.ts';
import type { ImageLimits, Size, SniffedFormat } from '../../types.ts';
import type { Files } from '../files.ts';
import { openPicture, withDecodeErrors } from '../sharp/open.ts';
import { drawInThread } from '../threads/thread.ts';
import { withinPixels } from './resize.ts';

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

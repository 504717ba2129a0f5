import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import type { Image } from '#api/images.ts';

/** The picture itself, as an address on the page's own origin. Absolute links are for other people. */
export const originalSrc = (image: Pick<Image, 'key' | 'ext'>) => `/i/${image.key}.${image.ext}`;

/** The thumbnail width that fills `side` CSS pixels (the longer side shown) on this screen without waste. */
export function thumbnailWidth(side: number, pixelRatio: number): number {
  const wanted = side * Math.min(pixelRatio, 2);
  // A twelfth less than wanted is not seen, but is a quarter of the bytes where it saves a step.
  return THUMBNAIL_WIDTHS.find((width) => width * 1.09 >= wanted) ?? 1600;
}

export const thumbnailSrc = (key: string, width: number) => `/t/${key}.jpg?w=${width}`;

/** The width of the largest thumbnail. */
const PREVIEW = 1600;

/**
 * The large preview that stands in for a photograph until somebody looks closer; undefined where there is nothing to gain,
 * and for pictures that may move or be transparent, which a JPEG could not show.
 */
export function previewOf({ key, ext, width, height }: Pick<Image, 'key' | 'ext' | 'width' | 'height'>) {
  const scale = PREVIEW / Math.max(width, height);
  if (ext !== 'jpg' || scale >= 1) return undefined;
  return { src: thumbnailSrc(key, PREVIEW), width: Math.round(width * scale), height: Math.round(height * scale) };
}

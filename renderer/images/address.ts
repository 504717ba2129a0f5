import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import type { Image } from '#api/images.ts';

/** The address of the original on the page's own origin. Absolute links are meant for others. */
export const originalSrc = (image: Pick<Image, 'key' | 'ext'>) => `/i/${image.key}.${image.ext}`;

/** The smallest thumbnail width that fills `side` CSS pixels (of the longer side) on this screen. */
export function thumbnailWidth(side: number, pixelRatio: number): number {
  const wanted = side * Math.min(pixelRatio, 2);
  // Up to a twelfth too few pixels is invisible, and a quarter of the bytes where it saves a step.
  return THUMBNAIL_WIDTHS.find((width) => width * 1.09 >= wanted) ?? 1600;
}

export const thumbnailSrc = (key: string, width: number) => `/t/${key}.jpg?w=${width}`;

/** The width of the largest thumbnail. */
const PREVIEW_WIDTH = 1600;

/**
 * The large preview shown instead of a photograph until the viewer zooms in. Undefined for small images, and for those that may be
 * animated or transparent, which a JPEG can't be.
 */
export function previewOf({ key, ext, width, height }: Pick<Image, 'key' | 'ext' | 'width' | 'height'>) {
  const scale = PREVIEW_WIDTH / Math.max(width, height);
  if (ext !== 'jpg' || scale >= 1) return undefined;
  return { src: thumbnailSrc(key, PREVIEW_WIDTH), width: Math.round(width * scale), height: Math.round(height * scale) };
}

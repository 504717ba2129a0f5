import type { Image as ListedImage } from '#api/images/images.ts';
import { isSlowConnection } from '#renderer/platform/pace.ts';
import { smallWidth, thumbnailSrc } from './address.ts';
import { rowHeight } from './row-height.ts';

/** A tile may be this many times larger than expected before its thumbnail looks too soft. */
const MAX_STRETCH = 1.5;

/** The width requested, and the longer side that it is meant for, in CSS pixels. */
let requested: { key: string; width: number; side: number } | undefined;

/**
 * Requests a list's first thumbnail before its rows are laid out and rendered: over a slow connection, it arrives while the processor is
 * busy. Elsewhere, every tile requests the size that it needs. A second one would only delay the first.
 */
export function requestFirstThumbnail(image: ListedImage | undefined): void {
  if (!image || !isSlowConnection()) return;
  const side = rowHeight('medium', window.innerWidth) * Math.max(1, image.width / Math.max(1, image.height));
  const width = smallWidth(side);
  requested = { key: image.key, width, side };
  new Image().src = thumbnailSrc(image, width);
}

/** The width of the thumbnail that was requested for an image, unless its tile is too large for that one. */
export const requestedWidth = (key: string, side: number) =>
  requested?.key === key && side <= requested.side * MAX_STRETCH ? requested.width : undefined;

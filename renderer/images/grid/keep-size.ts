import type { SyntheticEvent } from 'react';

/** How much an image may be enlarged to fill its space. Thumbnails come in steps; a tenth more isn't visible. */
export const MAX_SCALE = 1.1;

/** Shows an image that has loaded at its own size, in the middle, where it would have to be enlarged to fill its space. */
export function keepSize({ currentTarget: image }: SyntheticEvent<HTMLImageElement>) {
  const scale = Math.max(image.clientWidth / image.naturalWidth, image.clientHeight / image.naturalHeight);
  image.style.objectFit = scale > MAX_SCALE ? 'scale-down' : '';
}

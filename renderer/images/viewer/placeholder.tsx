import { useState } from 'react';
import { decodeThumbHash } from '#renderer/images/grid/thumb-hash.ts';
import classes from './viewer-frame.module.css';

/** What is known of an image before its pixels are there. */
export interface Placeheld {
  key: string;
  thumbhash?: string | null;
}

/** Twice the waves of a ThumbHash along its longer side. */
const HASH_SIDE = 16;

/** What can be shown of an image at once: the thumbnail that the page has loaded, or blurred colours. */
export function Placeholder({ image }: { image: Placeheld }) {
  const [thumbnail] = useState(() => loadedThumbnail(image.key));
  if (thumbnail) return <img src={thumbnail} alt="" decoding="sync" draggable={false} data-loaded data-placeholder />;
  const { thumbhash } = image;
  const blur = (canvas: HTMLCanvasElement | null) => {
    if (canvas && thumbhash) draw(canvas, thumbhash);
  };
  return thumbhash ? <canvas ref={blur} className={classes.blurred} data-placeholder /> : null;
}

function loadedThumbnail(key: string): string | undefined {
  const thumbnail = document.querySelector<HTMLImageElement>(`[data-picture="${CSS.escape(key)}"] img`);
  return thumbnail?.naturalWidth ? thumbnail.currentSrc : undefined;
}

function draw(canvas: HTMLCanvasElement, thumbhash: string) {
  const bytes = Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0));
  const { width, height, data } = decodeThumbHash(bytes, HASH_SIDE);
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.putImageData(new ImageData(data, width, height), 0, 0);
}

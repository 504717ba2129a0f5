import { useMemo, useState } from 'react';
import type { Image } from '#api/images/images.ts';
import { smallWidth, thumbnailSrc, thumbnailWidth } from '#renderer/images/address.ts';
import { requestedWidth } from '#renderer/images/first-thumbnail.ts';
import { isSlowConnection } from '#renderer/platform/pace.ts';
import { MAX_SCALE } from './keep-size.ts';

interface Props {
  image: Pick<Image, 'key' | 'width' | 'height'> & { sha256?: string; deleted_at?: string | null };
  /** Size of the space it fills, in CSS pixels. */
  width: number;
  height: number;
  className: string | undefined;
}

/** Up to this size, images are icons, whose pixels keep their edges where the screen draws each with several of its own. */
const ICON = 64;

/**
 * A thumbnail as sharp as its space and the screen can show, never larger than the image itself; on a slow connection a smaller one, in its
 * turn. The element around it must name the image.
 */
export function Thumbnail({ image, width, height, className }: Props) {
  // A cropped image needs as many pixels as it would have uncropped at the same scale.
  const scale = Math.max(width / Math.max(1, image.width), height / Math.max(1, image.height));
  const side = Math.max(image.width, image.height) * scale;
  const [slow] = useState(isSlowConnection);
  const src = thumbnailSrc(
    image,
    slow ? (requestedWidth(image.key, side) ?? smallWidth(side)) : thumbnailWidth(side, window.devicePixelRatio),
  );
  const load = useMemo(
    () => (element: HTMLImageElement) => {
      if (slow) return loadInTurn(element, src);
      element.src = src;
      // Requests for images that were scrolled past must not delay those on screen.
      return () => element.removeAttribute('src');
    },
    [src, slow],
  );
  return (
    <img
      ref={load}
      alt=""
      width={width}
      height={height}
      decoding="async"
      draggable={false}
      className={className}
      style={scale > MAX_SCALE ? { objectFit: 'scale-down', imageRendering: side / scale > ICON ? undefined : 'pixelated' } : undefined}
    />
  );
}

/** Together, more would each take longer, the one that the user is waiting for included. */
const AT_ONCE = 2;

interface Turn {
  image: HTMLImageElement;
  src: string;
}

const waiting: Turn[] = [];
const loading = new Set<Turn>();

/** Loads an image when it is its turn, in the order of the calls. Returns a function that gives up its place, and whatever has been loaded. */
export function loadInTurn(image: HTMLImageElement, src: string): () => void {
  const turn = { image, src };
  waiting.push(turn);
  next();
  return () => {
    const at = waiting.indexOf(turn);
    if (at >= 0) waiting.splice(at, 1);
    image.removeAttribute('src');
    end(turn);
  };
}

function next(): void {
  while (loading.size < AT_ONCE) {
    const turn = waiting.shift();
    if (!turn) return;
    loading.add(turn);
    for (const event of ['load', 'error']) turn.image.addEventListener(event, () => end(turn), { once: true });
    turn.image.src = turn.src;
  }
}

function end(turn: Turn): void {
  if (loading.delete(turn)) next();
}

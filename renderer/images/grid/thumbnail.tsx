import { useMemo } from 'react';
import type { Image } from '#api/images/images.ts';
import { thumbnailSrc, thumbnailWidth } from '#renderer/images/sharing/address.ts';
import { MAX_SCALE } from './keep-size.ts';

interface Props {
  image: Pick<Image, 'key' | 'width' | 'height'> & { sha256?: string; deleted_at?: string | null };
  /** Size of the space it fills, in CSS pixels. */
  width: number;
  height: number;
  className: string | undefined;
}

/** A thumbnail as sharp as its space and the screen can show, never larger than the image itself. The element around it must name the image. */
export function Thumbnail({ image, width, height, className }: Props) {
  // A cropped image needs as many pixels as it would have uncropped at the same scale.
  const scale = Math.max(width / Math.max(1, image.width), height / Math.max(1, image.height));
  const side = Math.max(image.width, image.height) * scale;
  const src = thumbnailSrc(image, thumbnailWidth(side, window.devicePixelRatio));
  const load = useMemo(
    () => (element: HTMLImageElement) => {
      element.src = src;
      // Requests for images that were scrolled past must not delay those on screen.
      return () => element.removeAttribute('src');
    },
    [src],
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
      style={scale > MAX_SCALE ? { objectFit: 'scale-down' } : undefined}
    />
  );
}

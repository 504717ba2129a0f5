import { useMemo } from 'react';
import type { Image } from '#api/images.ts';
import { thumbnailSrc, thumbnailWidth } from './address.ts';

interface Props {
  image: Pick<Image, 'key' | 'width' | 'height'>;
  /** Of the place it fills, in CSS pixels. */
  width: number;
  height: number;
  className: string | undefined;
}

/** A picture's thumbnail, as sharp as the place and the screen can show. The element around it names the picture. */
export function Thumbnail({ image, width, height, className }: Props) {
  // A picture cropped to its place needs as many pixels as its uncropped self would have there.
  const scale = Math.max(width / Math.max(1, image.width), height / Math.max(1, image.height));
  const side = Math.max(image.width, image.height) * scale;
  const src = thumbnailSrc(image.key, thumbnailWidth(side, window.devicePixelRatio));
  const load = useMemo(
    () => (element: HTMLImageElement) => {
      element.src = src;
      // Scrolling past many pictures must not leave their requests in front of those that are looked at.
      return () => element.removeAttribute('src');
    },
    [src],
  );
  return <img ref={load} alt="" width={width} height={height} decoding="async" draggable={false} className={className} />;
}

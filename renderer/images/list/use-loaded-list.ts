import { useMemo } from 'react';
import type { GridImages } from '#renderer/images/grid/grid-images.ts';
import type { GridImage } from '#renderer/images/grid/tile.tsx';
import type { Frames } from './pages.ts';

/** A list whose images are all loaded, or whose length is unknown, as a grid shows it. */
export function useLoadedList<T extends GridImage>(images: readonly T[]): { frames: Frames; images: GridImages<T> } {
  return useMemo(
    () => ({
      frames: { ratios: images.map(({ width, height }) => (width && height ? width / height : 1)), days: undefined },
      images: { count: images.length, at: (index) => images[index], find: (key) => images.findIndex((image) => image.key === key) },
    }),
    [images],
  );
}

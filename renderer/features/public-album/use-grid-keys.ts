import { type KeyboardEvent, useEffect, useState } from 'react';
import type { PublicAlbumImage } from '#api/albums.ts';
import { neighbour, type Row } from '#renderer/images/layout.ts';

interface Options {
  rows: readonly Row[];
  images: readonly PublicAlbumImage[];
  gap: number;
  /** Key of the picture that the viewer showed last. */
  returnTo: string | undefined;
  scrollTo: (image: number) => void;
}

/** Moving through an album without a mouse. `cursor` is the picture that Tab reaches, `focus` one that is to take the focus now. */
export function useGridKeys({ rows, images, gap, returnTo, scrollTo }: Options) {
  const [cursor, setCursor] = useState(0);
  const [focus, setFocus] = useState<{ index: number }>();
  const moveTo = (image: number) => {
    const to = Math.max(0, Math.min(images.length - 1, image));
    setCursor(to);
    setFocus({ index: to });
    scrollTo(to);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a viewer that has just closed moves the focus
  useEffect(() => {
    const index = images.findIndex(({ key }) => key === returnTo);
    if (returnTo && index >= 0) moveTo(index);
  }, [returnTo]);
  const onKeyDown = (event: KeyboardEvent) => {
    const destinations: Record<string, () => number> = {
      ArrowLeft: () => cursor - 1,
      ArrowRight: () => cursor + 1,
      ArrowUp: () => neighbour(rows, cursor, -1, gap),
      ArrowDown: () => neighbour(rows, cursor, 1, gap),
      Home: () => 0,
      End: () => images.length - 1,
    };
    const destination = destinations[event.key];
    if (!destination) return;
    moveTo(destination());
    event.preventDefault();
  };
  return { cursor, focus, onKeyDown, onFocus: setCursor };
}

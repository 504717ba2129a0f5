import { type KeyboardEvent, useCallback, useEffect, useState } from 'react';
import type { GridImages } from '#renderer/images/grid-images.ts';
import type { Selection } from '#renderer/images/selection/use-selection.ts';
import { isCopyKey } from '#renderer/platform/clipboard.ts';
import { type Layout, neighbour } from './layout.ts';
import type { GridImage } from './tile.tsx';

interface Options<T extends GridImage> {
  layout: Layout;
  images: GridImages<T>;
  selection: Selection<T> | undefined;
  onOpen: (image: T) => void;
  onRemove: ((images: readonly T[]) => void) | undefined;
  /** Copies the link of an image. */
  onCopy: ((image: T) => void) | undefined;
  /** Moves an image before another one, or to the end; undefined where the order can't be changed. */
  onMove: ((image: T, before: T | undefined) => void) | undefined;
  scrollTo: (image: number) => void;
  /** Key of the image that the viewer showed last. */
  returnTo: string | undefined;
}

/** Moves through a grid without a mouse. `cursor` is the image that Tab reaches, `focus` one that should take the focus now. */
export function useGridKeys<T extends GridImage>({
  layout,
  images,
  selection,
  onOpen,
  onRemove,
  onCopy,
  onMove,
  scrollTo,
  returnTo,
}: Options<T>) {
  const [cursor, setCursor] = useState(0);
  const [focus, setFocus] = useState<{ index: number }>();

  const moveTo = (image: number, extend: boolean) => {
    const to = Math.max(0, Math.min(images.count - 1, image));
    const [here, there] = [images.at(cursor), images.at(to)];
    if (selection && extend && here && there) {
      if (!selection.size) selection.toggle(here);
      selection.extendTo(there);
    }
    setCursor(to);
    setFocus({ index: to });
    scrollTo(to);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a viewer that has just closed moves the focus
  useEffect(() => {
    const index = returnTo === undefined ? -1 : images.find(returnTo);
    if (index >= 0) moveTo(index, false);
  }, [returnTo]);

  const destination = (key: string): number | undefined => {
    switch (key) {
      case 'ArrowLeft':
        return cursor - 1;
      case 'ArrowRight':
        return cursor + 1;
      case 'ArrowUp':
        return neighbour(layout, cursor, -1);
      case 'ArrowDown':
        return neighbour(layout, cursor, 1);
      case 'Home':
        return 0;
      case 'End':
        return images.count - 1;
      default:
        return undefined;
    }
  };

  /** Exchanges the image with its neighbour. */
  const shift = (image: T, key: string) => {
    const step = key === 'ArrowLeft' ? -1 : 1;
    const [to, before] = [cursor + step, step < 0 ? cursor - 1 : cursor + 2];
    if (to < 0 || to >= images.count || (before < images.count && !images.at(before))) return;
    onMove?.(image, images.at(before));
    setCursor(to);
    setFocus({ index: to });
    scrollTo(to);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const image = images.at(cursor);
    if (!image || !(event.target instanceof HTMLElement) || !event.target.hasAttribute('data-picture')) return;
    if (onMove && event.altKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      // Alt+Left would go back in the history.
      event.preventDefault();
      return shift(image, event.key);
    }
    const to = destination(event.key);
    if (to !== undefined) moveTo(to, event.shiftKey);
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) onOpen(image);
    else if (event.key === ' ' && selection) selection.toggle(image);
    else if (event.key === 'Escape' && selection?.size) selection.clear();
    else if (event.key === 'Delete' && onRemove) onRemove(selection?.size ? [...selection.images.values()] : [image]);
    // What is selected is copied wherever the focus is.
    else if (onCopy && !selection?.size && isCopyKey(event)) onCopy(image);
    else return;
    event.preventDefault();
  };

  const onFocus = useCallback((index: number) => setCursor(index), []);
  return { cursor, focus, onKeyDown, onFocus };
}

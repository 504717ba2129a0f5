import { type DragEvent, useState } from 'react';
import type { GridImages } from '#renderer/images/grid-images.ts';
import type { GridImage } from './tile.tsx';

interface Over {
  key: string;
  side: 'before' | 'after';
}

/** Moves images of a grid by dragging. `over` is the tile below the pointer, with the side on which the image would be dropped. */
export function useDragMove<T extends GridImage>(images: GridImages<T>, onMove: ((image: T, before: T | undefined) => void) | undefined) {
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<Over>();
  const end = () => {
    setDragged(undefined);
    setOver(undefined);
  };
  const drop = () => {
    const image = images.at(images.find(dragged ?? ''));
    const at = images.find(over?.key ?? '');
    end();
    if (!image || at < 0 || over?.key === image.key) return;
    const before = over?.side === 'after' ? at + 1 : at;
    if (before < images.count && !images.at(before)) return; // not loaded
    if (images.at(before)?.key !== image.key) onMove?.(image, images.at(before));
  };
  if (!onMove) return { over: undefined, handlers: {} };
  return {
    over: over && over.key !== dragged ? over : undefined,
    handlers: {
      onDragStart(event: DragEvent) {
        const key = keyAt(event);
        if (key === undefined) return;
        // Otherwise it is the address of a link, which can be dropped on other pages, or uploaded.
        event.dataTransfer.clearData();
        event.dataTransfer.setData('application/x-pixdock-picture', key);
        event.dataTransfer.effectAllowed = 'move';
        setDragged(key);
      },
      onDragOver(event: DragEvent) {
        const key = keyAt(event);
        if (dragged === undefined || key === undefined) return;
        event.preventDefault();
        const { left, width } = (event.target as Element).getBoundingClientRect();
        const side = event.clientX < left + width / 2 ? 'before' : 'after';
        if (over?.key !== key || over.side !== side) setOver({ key, side });
      },
      onDrop(event: DragEvent) {
        if (dragged === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        drop();
      },
      onDragEnd: end,
    },
  };
}

const keyAt = ({ target }: DragEvent) => (target as Element).closest<HTMLElement>('[data-picture]')?.dataset.picture;

import { type DragEvent, useEffect, useState } from 'react';
import classes from './grid.module.css';

/** Lets what is selected be dragged to somewhere else on the page. */
export interface DragOut {
  /** Shown beside the pointer. */
  label: string;
  /** Called when dragging begins, and with false when it ends. */
  onDrag: (dragging: boolean) => void;
}

/** What a drag carries, so that nothing but the page itself takes it: not the link, which other pages and the intake would. */
const TYPE = 'application/x-pixdock-pictures';

/** The handlers of a grid whose selected tiles are dragged. */
export function useDragOut(out: DragOut | undefined) {
  const [dragging, setDragging] = useState(false);
  const { onDrag } = out ?? {};
  useEffect(() => {
    if (!dragging) return;
    onDrag?.(true);
    const end = () => setDragging(false);
    // A tile that scrolls out of the page takes the end of its drag along; the pointer moves only once there is none.
    document.addEventListener('pointermove', end);
    return () => {
      document.removeEventListener('pointermove', end);
      onDrag?.(false);
    };
  }, [dragging, onDrag]);
  if (!out) return {};
  return {
    onDragStart({ target, dataTransfer }: DragEvent) {
      if (!(target as Element).closest('[data-picture]')) return;
      dataTransfer.clearData();
      dataTransfer.setData(TYPE, '');
      dataTransfer.effectAllowed = 'copy';
      const label = document.body.appendChild(document.createElement('div'));
      label.className = classes.dragged ?? '';
      label.textContent = out.label;
      dataTransfer.setDragImage(label, -12, -12);
      // Once the browser has drawn it.
      setTimeout(() => {
        label.remove();
        setDragging(true);
      });
    },
    onDragEnd: () => setDragging(false),
  };
}

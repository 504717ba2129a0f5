import { type RefObject, useEffect, useRef, useState } from 'react';
import { bringsFiles, droppedFiles, type Incoming } from '#renderer/upload/incoming.ts';

/** Files that are being dragged over the page. */
export interface Drop {
  dragging: boolean;
  /** Whether a drop now would wait for its options. */
  asks: boolean;
  optionsZone: RefObject<HTMLDivElement | null>;
}

/**
 * Takes files that are dropped anywhere on the page. `ask`: they were dropped where they wait for their options.
 * @param read finds the files of a drop, while the event is being handled
 */
export function useDrop(take: (incoming: Incoming, ask: boolean) => void, read = droppedFiles): Drop {
  const [dragging, setDragging] = useState(false);
  const [asks, setAsks] = useState(false);
  const optionsZone = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Entering a child fires before leaving its parent, hence the counter.
    let depth = 0;
    const set = (next: number) => {
      depth = Math.max(0, next);
      setDragging(depth > 0);
      if (depth === 0) setAsks(false);
    };
    // The overlay lets events through, so that it doesn't change what is being dragged over.
    const isOverZone = ({ clientX, clientY }: DragEvent) => {
      const zone = optionsZone.current?.getBoundingClientRect();
      return !!zone && clientX >= zone.left && clientX <= zone.right && clientY >= zone.top && clientY <= zone.bottom;
    };
    const onEnter = (event: DragEvent) => {
      if (bringsFiles(event.dataTransfer)) set(depth + 1);
    };
    const onLeave = (event: DragEvent) => {
      if (bringsFiles(event.dataTransfer)) set(depth - 1);
    };
    const onOver = (event: DragEvent) => {
      if (!bringsFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setAsks(isOverZone(event));
    };
    const onDrop = (event: DragEvent) => {
      const ask = isOverZone(event);
      set(0);
      if (!bringsFiles(event.dataTransfer)) return;
      event.preventDefault();
      void read(event.dataTransfer).then((incoming) => take(incoming, ask));
    };
    const handlers = { dragenter: onEnter, dragleave: onLeave, dragover: onOver, drop: onDrop } as const;
    for (const [name, handler] of Object.entries(handlers)) document.addEventListener(name, handler as EventListener);
    return () => {
      for (const [name, handler] of Object.entries(handlers)) document.removeEventListener(name, handler as EventListener);
    };
  }, [take, read]);
  return { dragging, asks, optionsZone };
}

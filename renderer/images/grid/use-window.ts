import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Layout } from './layout.ts';

/** How far beyond the screen rows exist as elements, in CSS pixels. */
const OVERSCAN = 420;
/** Scrolling faster than this, in CSS pixels per millisecond, shows no image long enough to load it. */
const FLYING_SPEED = 6;
/** A pause this long ends the flight. */
const SETTLE_MS = 90;

/** The rows near the screen, both included. */
export interface RowRange {
  from: number;
  to: number;
}

/** Watches which rows of a grid are near the screen. While the user flies past, the rows stay as they are, and `onFly` follows the screen. */
export function useWindow(
  list: RefObject<HTMLElement | null>,
  layout: Layout,
  onMove: (range: RowRange, flying: boolean) => void,
): RowRange {
  const [range, setRange] = useState<RowRange>({ from: 0, to: -1 });
  const move = useRef(onMove);
  move.current = onMove;

  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = { at: performance.now(), y: window.scrollY };
    const measure = (overscan: number): RowRange => {
      const top = -(list.current?.getBoundingClientRect().top ?? 0);
      return { from: layout.rowAtTop(top - overscan), to: layout.rowAtTop(top + window.innerHeight + overscan) };
    };
    const settle = () => {
      const next = measure(OVERSCAN);
      setRange((before) => (before.from === next.from && before.to === next.to ? before : next));
      move.current(next, false);
    };
    const onScroll = () => {
      const now = { at: performance.now(), y: window.scrollY };
      const speed = Math.abs(now.y - last.y) / Math.max(8, now.at - last.at);
      const far = Math.abs(now.y - last.y) > window.innerHeight;
      last = now;
      clearTimeout(timer);
      if (speed > FLYING_SPEED || far) {
        move.current(measure(0), true);
        timer = setTimeout(settle, SETTLE_MS);
      } else settle();
    };
    settle();
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('resize', settle);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('resize', settle);
    };
  }, [list, layout]);
  return layout.rows === 0 ? { from: 0, to: -1 } : { from: Math.min(range.from, layout.rows - 1), to: Math.min(range.to, layout.rows - 1) };
}

/** What is at the top of the screen: the grid keeps it there when rows above it change. */
export interface Anchor {
  image: number;
  /** Distance from the top of the screen. */
  offset: number;
}

/**
 * Keeps the images on the screen where they are when the layout changes.
 * @param find returns the index of the image with a key, or −1
 * @param held where the place is kept if it outlives this grid
 */
export function useAnchor(
  list: RefObject<HTMLElement | null>,
  layout: Layout,
  keyAt: (image: number) => string | undefined,
  find: (key: string) => number,
  held: RefObject<Anchor | undefined> | undefined,
): void {
  const own = useRef<Anchor>(undefined);
  const anchor = held ?? own;
  const shown = useRef({ layout, keyAt, find });

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { layout, keyAt, find };
    const kept = anchor.current;
    if (before.layout === layout || !kept || layout.rows === 0) return;
    const key = before.keyAt(kept.image);
    const found = key === undefined ? -1 : find(key);
    const image = found >= 0 ? found : Math.min(kept.image, layout.frames.ratios.length - 1);
    const top = (list.current?.getBoundingClientRect().top ?? 0) + layout.rowAt(layout.rowOf(image)).top;
    if (Math.abs(top - kept.offset) >= 1) window.scrollBy({ top: top - kept.offset, behavior: 'instant' });
  });

  useEffect(() => {
    const note = () => {
      // Not measured yet: the place is that of the grid before this one.
      if (layout.options.width === 0) return;
      const top = list.current?.getBoundingClientRect().top ?? 0;
      // At the very top, new images push the others down.
      if (top >= 0 || layout.rows === 0) {
        anchor.current = undefined;
        return;
      }
      const row = layout.rowAt(layout.rowAtTop(-top));
      anchor.current = { image: row.first, offset: top + row.top };
    };
    note();
    window.addEventListener('scroll', note, { passive: true });
    return () => window.removeEventListener('scroll', note);
  }, [list, layout, anchor]);
}

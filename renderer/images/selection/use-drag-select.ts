import { type RefObject, useEffect, useRef } from 'react';
import classes from './drag-select.module.css';
import type { Keyed } from './selection.ts';
import type { Selection } from './use-selection.ts';

/** The images of a grid, by place and by key. */
interface Images<T> {
  at(index: number): T | undefined;
  /** Index of the image with a key, or −1. */
  find(key: string): number;
}

interface Options<T extends Keyed> {
  list: RefObject<HTMLElement | null>;
  images: Images<T>;
  selection: Selection<T> | undefined;
}

interface Point {
  x: number;
  y: number;
}

/** Movement that makes a press of the mouse a drag, and one of a finger no long press, in CSS pixels. */
const SLACK = { mouse: 6, touch: 10 };
const LONG_PRESS_MS = 450;
/** Dragging this close to the edge of the window scrolls. */
const EDGE = 72;
const MAX_SPEED = 24;
/** What a drag must not start on; selected images may be dragged themselves. */
const CONTROLS = 'button, input, label, select, textarea, a:not([data-picture]), header, [draggable="true"]';

/**
 * Selects images by dragging: with the mouse, those that a rectangle touches; with a finger, after a long press, those from the pressed one to
 * the one below the finger. It reads the tiles on the page, which scrolling adds.
 */
export function useDragSelect<T extends Keyed>(options: Options<T>): void {
  const latest = useRef(options);
  latest.current = options;
  const enabled = options.selection !== undefined;
  const { list } = options;
  useEffect(() => {
    const element = list.current;
    if (!element || !enabled) return;
    const drag = createDrag(element, () => latest.current);
    return drag.stop;
  }, [list, enabled]);
}

interface Gesture {
  /** The pointer is here, in the window; called again after scrolling. */
  move(point: Point): void;
  end(): void;
}

function createDrag<T extends Keyed>(element: HTMLElement, latest: () => Options<T>) {
  const controller = new AbortController();
  let gesture: Gesture | undefined;
  let pending: { start: Point; scrollY: number; touch: boolean; timer: number | undefined } | undefined;
  let point: Point = { x: 0, y: 0 };
  let frame = 0;
  let touched = false;

  const forget = () => {
    window.clearTimeout(pending?.timer);
    pending = undefined;
  };
  const begin = (started: Gesture) => {
    forget();
    gesture = started;
    frame = requestAnimationFrame(step);
  };
  const finish = () => {
    forget();
    if (!gesture) return;
    cancelAnimationFrame(frame);
    gesture.end();
    gesture = undefined;
    ignoreClick();
  };
  /** Scrolls near the edges, for as long as the pointer stays there. */
  const step = () => {
    const speed = speedAt(point.y);
    if (speed !== 0) {
      window.scrollBy({ top: speed, behavior: 'instant' });
      gesture?.move(point);
    }
    frame = requestAnimationFrame(step);
  };

  const onDown = (event: PointerEvent) => {
    const { target } = event;
    touched = event.pointerType === 'touch';
    if (!(target instanceof Element) || !event.isPrimary || event.button !== 0 || target.closest(CONTROLS)) return;
    // From the space around the grid, too.
    if (!element.contains(target) && !target.contains(element)) return;
    const tile = target.closest('[data-picture]');
    if (touched && !tile) return;
    point = { x: event.clientX, y: event.clientY };
    const longPress = () => begin(createSweep(latest, tile?.getAttribute('data-picture') ?? ''));
    pending = {
      start: point,
      scrollY: window.scrollY,
      touch: touched,
      timer: touched ? window.setTimeout(longPress, LONG_PRESS_MS) : undefined,
    };
  };
  const onMove = (event: PointerEvent) => {
    if (!event.isPrimary) return;
    point = { x: event.clientX, y: event.clientY };
    if (gesture) gesture.move(point);
    else if (pending && Math.hypot(point.x - pending.start.x, point.y - pending.start.y) > SLACK[pending.touch ? 'touch' : 'mouse']) {
      const { touch, start, scrollY } = pending;
      forget();
      if (touch || event.buttons !== 1) return;
      const band = createBand(element, latest, { x: start.x, y: start.y + scrollY });
      begin(band);
      band.move(point);
    }
  };
  const options = { signal: controller.signal };
  document.addEventListener('pointerdown', onDown, options);
  document.addEventListener('pointermove', onMove, options);
  document.addEventListener('pointerup', finish, options);
  document.addEventListener('pointercancel', finish, options);
  window.addEventListener('blur', finish, options);
  // A finger that selects must not scroll, nor open the menu of a link.
  element.addEventListener('touchmove', (event) => gesture && event.preventDefault(), { ...options, passive: false });
  element.addEventListener('contextmenu', (event) => touched && event.preventDefault(), options);
  // What a gesture has selected must not be dragged by it.
  const keep = (event: Event) => {
    if (!gesture) return;
    event.preventDefault();
    event.stopPropagation();
  };
  element.addEventListener('dragstart', keep, options);
  return {
    stop() {
      finish();
      controller.abort();
    },
  };
}

function speedAt(y: number): number {
  const above = Math.max(0, EDGE - y);
  const below = Math.max(0, y - (window.innerHeight - EDGE));
  return Math.round((Math.min(EDGE, below) - Math.min(EDGE, above)) * (MAX_SPEED / EDGE));
}

/** The click that ends a drag isn't meant for what is below the pointer. */
function ignoreClick() {
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('click', ignore, { capture: true, once: true });
  window.setTimeout(() => document.removeEventListener('click', ignore, { capture: true }));
}

/** From the pressed image to the one below the finger, in the order of the list. */
function createSweep<T extends Keyed>(latest: () => Options<T>, key: string): Gesture {
  const { images, selection } = latest();
  const select = selection?.begin();
  const from = images.find(key);
  const sweep = (to: number) => {
    const indices = Array.from({ length: Math.abs(to - from) + 1 }, (_, offset) => Math.min(from, to) + offset);
    const found = indices.map((index) => latest().images.at(index));
    select?.(found.filter((image) => image !== undefined));
  };
  navigator.vibrate?.(12);
  sweep(from);
  return {
    move({ x, y }) {
      const below = document.elementFromPoint(x, y)?.closest('[data-picture]')?.getAttribute('data-picture');
      const to = below ? latest().images.find(below) : -1;
      if (to >= 0) sweep(to);
    },
    end: () => undefined,
  };
}

/** A rectangle from `start`, in the page, to the pointer. Tiles that scroll out of the page keep their place. */
function createBand<T extends Keyed>(element: HTMLElement, latest: () => Options<T>, start: Point): Gesture {
  const select = latest().selection?.begin();
  const seen = new Map<string, { image: T; box: DOMRect }>();
  const band = document.body.appendChild(document.createElement('div'));
  band.className = classes.band ?? '';
  document.documentElement.classList.add(classes.dragging ?? '');
  return {
    move({ x, y }) {
      const end = { x, y: y + window.scrollY };
      const box = new DOMRect(Math.min(start.x, end.x), Math.min(start.y, end.y), Math.abs(start.x - end.x), Math.abs(start.y - end.y));
      Object.assign(band.style, { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` });
      notePlaces(element, latest().images, seen);
      select?.([...seen.values()].filter((tile) => overlaps(tile.box, box)).map(({ image }) => image));
    },
    end() {
      band.remove();
      document.documentElement.classList.remove(classes.dragging ?? '');
    },
  };
}

function notePlaces<T>(element: HTMLElement, images: Images<T>, seen: Map<string, { image: T; box: DOMRect }>) {
  for (const tile of element.querySelectorAll('[data-picture]')) {
    const key = tile.getAttribute('data-picture') ?? '';
    const image = seen.get(key)?.image ?? images.at(images.find(key));
    const { x, y, width, height } = tile.getBoundingClientRect();
    if (image) seen.set(key, { image, box: new DOMRect(x, y + window.scrollY, width, height) });
  }
}

const overlaps = (one: DOMRect, two: DOMRect) =>
  one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;

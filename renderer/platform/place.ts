import { useEffect, useLayoutEffect } from 'react';

/** Where a page was when it was left. */
interface Place {
  y: number;
  /** Key of the first picture in view, and its distance from the top of the window. */
  picture?: { key: string; offset: number } | undefined;
}

interface Location {
  href: string;
  pathname: string;
  state: { __TSR_key?: string };
}

/** The part of the router that is needed here. */
interface Navigation {
  latestLocation: Location;
  subscribe(event: 'onBeforeLoad' | 'onRendered', listener: (change: { fromLocation?: Location; toLocation: Location }) => void): unknown;
}

const STORAGE_KEY = 'pixdock.places';
/** Entries of the history whose places are kept. */
const MAX_PLACES = 50;
/** How long a page may take to load what was in view, and to load more above it after that. */
const PATIENCE_MS = 15_000;
const REST_MS = 1_000;
/** Height of the header that stays at the top, in CSS pixels. */
const HEADER = 72;

/** The return to a place that is under way. */
let current: { attempt: () => void; stop: () => void } | undefined;
/** Finds the distance of a picture from the top of the page. */
let topOf: ((key: string) => number | undefined) | undefined;
/** Loads more of a list, if there is more. */
let loadMore: (() => void) | undefined;

/**
 * Returns to the place where a page was left, when the user goes back or forward to it or reloads it. The router only remembers how far it
 * was scrolled, and returns there before lists have loaded, when the page is still too short.
 */
export function keepPlace(router: Navigation): void {
  const places = readPlaces();
  const note = (location: Location) => {
    if (current) return;
    places.delete(keyOf(location));
    places.set(keyOf(location), { y: window.scrollY, picture: pictureInView() });
    for (const old of [...places.keys()].slice(0, -MAX_PLACES)) places.delete(old);
  };
  router.subscribe('onBeforeLoad', ({ fromLocation, toLocation }) => {
    if (fromLocation && keyOf(fromLocation) !== keyOf(toLocation)) note(fromLocation);
  });
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    // What opens and closes above a page doesn't move it.
    if (fromLocation?.pathname === toLocation.pathname) return;
    current?.stop();
    const place = places.get(keyOf(toLocation));
    if (place && place.y > 0) returnTo(place);
  });
  window.addEventListener('pagehide', () => {
    note(router.latestLocation);
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...places]));
    } catch {
      // Storage is blocked or full: after a reload, pages begin at the top.
    }
  });
}

const keyOf = ({ state, href }: Location) => state.__TSR_key ?? href;

function readPlaces(): Map<string, Place> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, Place][]);
  } catch {
    return new Map();
  }
}

function pictureInView(): Place['picture'] {
  const all = [...document.querySelectorAll<HTMLElement>('[data-picture]')];
  const key = all.find((element) => element.getBoundingClientRect().bottom > HEADER)?.dataset.picture;
  const top = key === undefined ? undefined : topOf?.(key);
  return key === undefined || top === undefined ? undefined : { key, offset: top - window.scrollY };
}

/** Scrolls to a place as soon as it is there, and again while the page still changes, until the user does something. */
function returnTo({ y, picture }: Place): void {
  let timer = setTimeout(stop, PATIENCE_MS);
  let arrived = false;
  const attempt = () => {
    const room = document.documentElement.scrollHeight - window.innerHeight;
    const top = picture && topOf?.(picture.key);
    const to = picture && top !== undefined ? top - picture.offset : y;
    // Zoomed pages have heights of fractions of a pixel.
    const isThere = top !== undefined || room >= to - 1;
    window.scrollTo({ top: to, behavior: 'instant' });
    if (!isThere) loadMore?.();
    else if (!arrived && (top !== undefined || !picture)) {
      arrived = true;
      clearTimeout(timer);
      timer = setTimeout(stop, REST_MS);
    }
  };
  const sizes = new ResizeObserver(attempt);
  const gestures = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
  function stop() {
    clearTimeout(timer);
    sizes.disconnect();
    for (const gesture of gestures) window.removeEventListener(gesture, stop, { capture: true });
    current = undefined;
  }
  current = { attempt, stop };
  for (const gesture of gestures) window.addEventListener(gesture, stop, { capture: true, passive: true });
  sizes.observe(document.body);
}

/** Lets a page return to pictures, wherever `find` says that they are: their distance from the top of the page. */
export function usePicturePlaces(find: (key: string) => number | undefined): void {
  useLayoutEffect(() => {
    topOf = find;
    current?.attempt();
    return () => {
      topOf = undefined;
    };
  }, [find]);
}

/** Lets a page return to a place in a part of a list that isn't loaded. */
export function useMoreOnReturn(more: () => void): void {
  useEffect(() => {
    loadMore = more;
    current?.attempt();
    return () => {
      loadMore = undefined;
    };
  }, [more]);
}

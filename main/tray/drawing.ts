import { isDeepStrictEqual } from 'node:util';
import type { Menu } from 'electron';
import { atMost } from '#main/base/at-most.ts';

/** Building a menu is slow, and on Linux an open one flickers. */
const DRAWINGS_PER_SECOND = 4;
/** Milliseconds from a menu's end to the call of the item that was chosen, at most. */
const CHOOSING_MS = 300;
/** Milliseconds for which the user may go on with a menu after leaving a submenu. */
const BROWSING_MS = 10_000;

/** Draws a state at once, and returns a function that draws it again after changes: not too often, and never an equal one. */
export function createDrawing<S>(state: () => S, draw: (state: S) => void): () => void {
  let drawn = state();
  draw(drawn);
  return atMost(DRAWINGS_PER_SECOND, () => {
    const next = state();
    if (isDeepStrictEqual(next, drawn)) return;
    drawn = next;
    draw(next);
  });
}

/**
 * Returns a function that puts a menu in place of the last one, once the user has closed that: macOS would close it under the pointer. Panels of
 * Linux don't report that a menu is open, and keep showing it.
 */
export function createMenuPlace(put: (menu: Menu) => void): (menu: Menu) => void {
  let isOpen = false;
  let hasSubmenus = false;
  let next: Menu | undefined;
  let timer: NodeJS.Timeout | undefined;

  function place(menu: Menu) {
    put(menu);
    menu.on('menu-will-show', () => {
      hasSubmenus = isOpen;
      isOpen = true;
      clearTimeout(timer);
    });
    // On macOS, the end of a submenu looks like the menu's own, which isn't reported afterwards.
    menu.on('menu-will-close', () => {
      clearTimeout(timer);
      timer = setTimeout(close, hasSubmenus ? BROWSING_MS : CHOOSING_MS);
    });
  }

  function close() {
    isOpen = false;
    hasSubmenus = false;
    if (next) place(next);
    next = undefined;
  }

  return (menu) => {
    if (isOpen) next = menu;
    else place(menu);
  };
}

import type { Rectangle } from 'electron';
import type { WindowState } from '#main/base/preferences.ts';

const DEFAULT_SIZE = { width: 1180, height: 780 };
/** Pixels of the window that must be on a screen, so that the user can move it. */
const VISIBLE = 80;

/** The window's last position, unless it is off every screen now. `first`: where it opens for the first time. */
export function windowPlace(
  last: WindowState | undefined,
  screens: readonly Rectangle[],
  first: Partial<Rectangle> = DEFAULT_SIZE,
): Partial<Rectangle> {
  if (!last) return first;
  const { x, y, width, height } = last;
  return screens.some((screen) => overlap({ x, y, width, height }, screen)) ? { x, y, width, height } : { width, height };
}

function overlap(window: Rectangle, screen: Rectangle) {
  const across = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
  const down = Math.min(window.y + window.height, screen.y + screen.height) - Math.max(window.y, screen.y);
  return across >= VISIBLE && down >= VISIBLE;
}

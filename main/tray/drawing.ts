import { isDeepStrictEqual } from 'node:util';
import { atMost } from '#main/base/at-most.ts';

/** Building a menu is slow, and on Linux an open one flickers. */
const DRAWINGS_PER_SECOND = 4;

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

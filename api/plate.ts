/** The lightness from which a pixel can’t be told from a light page, and up to which from a dark one, from 0 to 255. */
const LOST_ON_LIGHT = 215;
const LOST_ON_DARK = 70;
/** The share of such pixels from which too little is left to see. */
const LOST_SHARE = 0.3;
const OPAQUE_ALPHA = 128;

/**
 * The themes in which a logo can hardly be seen, so that it needs a background of its own.
 * @param rgba the pixels of a small copy
 */
export function plateOf(rgba: ArrayLike<number>): ('light' | 'dark')[] {
  let [seen, light, dark] = [0, 0, 0];
  for (let at = 0; at < rgba.length; at += 4) {
    if ((rgba[at + 3] as number) < OPAQUE_ALPHA) continue;
    const lightness = 0.2126 * (rgba[at] as number) + 0.7152 * (rgba[at + 1] as number) + 0.0722 * (rgba[at + 2] as number);
    seen++;
    if (lightness >= LOST_ON_LIGHT) light++;
    if (lightness <= LOST_ON_DARK) dark++;
  }
  // A picture that fills its frame has a background of its own.
  if (seen * 4 === rgba.length) return [];
  return [...(light > seen * LOST_SHARE ? ['light' as const] : []), ...(dark > seen * LOST_SHARE ? ['dark' as const] : [])];
}

/** Pixels. */
interface Size {
  width: number;
  height: number;
}

/** The size of a thumbnail whose longer side is `side` at most: never enlarged, in whole pixels. */
export function scaledTo({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Steps of {@link toShape} per factor of two: 1.1 % each, which no one sees. */
const STEPS_PER_OCTAVE = 64;
const SQUARE = 128;

/** The shape of an image, its width divided by its height, as one byte. 128 is a square; an unknown size counts as one. */
export function toShape(width: number, height: number): number {
  if (!(width > 0 && height > 0)) return SQUARE;
  return Math.max(0, Math.min(255, Math.round(SQUARE + STEPS_PER_OCTAVE * Math.log2(width / height))));
}

/** The ratio of width to height that a shape stands for, from 1/4 to nearly 4. */
export const ratioOf = (shape: number): number => 2 ** ((shape - SQUARE) / STEPS_PER_OCTAVE);

import type { Density } from '#renderer/preferences/preference-values.ts';

const HEIGHTS: Record<Density, number> = { small: 132, medium: 200, large: 300 };

/** The row height to aim at: two or three images side by side on a phone, not dozens on a very wide screen. */
export function rowHeight(density: Density, width: number): number {
  const scale = width < 640 ? 0.6 : width > 2200 ? 1.35 : 1;
  return Math.round(HEIGHTS[density] * scale);
}

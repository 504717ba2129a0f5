/** Within one unit: every step four times reaches the next one. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 256];
const MOST_STEPS = 4;

/** The numbers on an axis of bytes up to `most`: round ones for people, who count them in steps of 1024. */
export function byteTicks(most: number): number[] {
  let unit = 1;
  while (most > unit * 1024) unit *= 1024;
  const step = unit * (STEPS.find((each) => each * unit * MOST_STEPS >= most) ?? 256);
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
}

/** Steps within one unit; four times each reaches the next. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 256];
const MAX_STEPS = 4;

/** The ticks of an axis of bytes up to `max`, round in units of 1024. */
export function byteTicks(max: number): number[] {
  let unit = 1;
  while (max > unit * 1024) unit *= 1024;
  const step = unit * (STEPS.find((each) => each * unit * MAX_STEPS >= max) ?? 256);
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step);
}

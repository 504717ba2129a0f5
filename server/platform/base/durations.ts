import { DAY, HOUR, MINUTE } from '#api/durations.ts';

const UNITS = [
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [1, 'second'],
] as const;

/** Whole seconds in words, in the largest unit that states them exactly: “1 day”, “36 hours”. */
export function formatDuration(seconds: number): string {
  const [length, name] = UNITS.find(([each]) => seconds >= each && seconds % each === 0) ?? ([1, 'second'] as const);
  const value = seconds / length;
  return `${value} ${name}${value === 1 ? '' : 's'}`;
}

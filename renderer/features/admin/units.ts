export interface Unit {
  label: 'B' | 'KB' | 'MB' | 'GB' | 'TB' | 'minutes' | 'hours' | 'days';
  factor: number;
}

export const BYTES: readonly Unit[] = [
  { label: 'B', factor: 1 },
  { label: 'KB', factor: 1024 },
  { label: 'MB', factor: 1024 ** 2 },
  { label: 'GB', factor: 1024 ** 3 },
  { label: 'TB', factor: 1024 ** 4 },
];

/** In seconds. */
export const DURATIONS: readonly Unit[] = [
  { label: 'minutes', factor: 60 },
  { label: 'hours', factor: 3600 },
  { label: 'days', factor: 86_400 },
];

/** The largest unit in which the amount has at most two decimals; `fallback` for 0. */
export function unitFor(amount: number, units: readonly Unit[], fallback: number): number {
  if (amount === 0) return fallback;
  const fits = units.filter(({ factor }) => amount >= factor && Number.isInteger((amount * 100) / factor));
  return fits.at(-1)?.factor ?? units[0]?.factor ?? 1;
}

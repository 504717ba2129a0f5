// Results in a form that scripts/bench.mjs gathers.
import { appendFileSync } from 'node:fs';

export interface Result {
  row: string;
  /** The median. */
  value: number;
  /** Those of all rounds. */
  values: readonly number[];
  /** `x` for a ratio. */
  unit: 'x' | 's' | 'MB' | '%';
  target?: number;
  /** Which values are better. */
  better: 'more' | 'less';
}

/** Prints a result, and passes it to `npm run bench`. */
export function record(result: Result): void {
  console.log(describe(result));
  const file = process.env.PIXDOCK_BENCH_RESULTS;
  if (file) appendFileSync(file, `${JSON.stringify(result)}\n`);
}

function describe({ row, value, values, unit, target, better }: Result): string {
  const range = values.length > 1 ? ` (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})` : '';
  const isMet = target === undefined || (better === 'more' ? value >= target : value <= target);
  const wanted = target === undefined ? '' : `, target ${better === 'more' ? '≥' : '≤'} ${target}: ${isMet ? 'met' : 'missed'}`;
  return `${row}: ${value.toFixed(2)} ${unit}${range}${wanted}`;
}

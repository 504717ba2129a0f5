import type { Random } from '#test/helpers/random.ts';

/** Cuts, overwrites, repeats and swaps a few ranges, mostly near the start, where the structures are. */
export function mutate(file: Buffer, next: Random): Buffer {
  let result = Buffer.from(file);
  for (let count = 1 + next(4); count > 0; count--) {
    const at = next(next(2) === 0 ? Math.min(1200, result.length) : result.length);
    const length = 1 + next(8);
    const kind = next(5);
    if (kind === 0) result = result.subarray(0, at);
    else if (kind === 1) result.fill(next(2) * 255, at, Math.min(at + length, result.length));
    else if (kind === 2) for (let i = at; i < Math.min(at + length, result.length); i++) result[i] = next(256);
    else if (kind === 3) result = Buffer.concat([result.subarray(0, at), result.subarray(at + length)]);
    else result = Buffer.concat([result.subarray(0, at), result.subarray(0, next(200)), result.subarray(at)]);
  }
  return result;
}

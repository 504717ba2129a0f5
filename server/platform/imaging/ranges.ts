import { firstIndex } from '#server/platform/base/binary-search.ts';
import type { ByteRange } from './bytes.ts';

/** A set of bytes of a file, given as ranges in any order, which may overlap. */
export class Ranges {
  /** In order, without overlaps. */
  readonly #joined: ByteRange[] = [];

  constructor(ranges: readonly ByteRange[]) {
    for (const range of ranges.filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from)) {
      const last = this.#joined.at(-1);
      if (!last || range.from > last.to) this.#joined.push(range);
      else if (range.to > last.to) this.#joined[this.#joined.length - 1] = { from: last.from, to: range.to };
    }
  }

  /** Whether it has any byte of this range. */
  overlaps({ from, to }: ByteRange): boolean {
    const next = this.#joined[this.#firstAfter(from)];
    return from < to && next !== undefined && next.from < to;
  }

  /** The parts of a range that it doesn't have. */
  gapsIn({ from, to }: ByteRange): ByteRange[] {
    const gaps: ByteRange[] = [];
    let at = from;
    for (let index = this.#firstAfter(from); at < to; index++) {
      const next = this.#joined[index] ?? { from: to, to };
      if (next.from > at) gaps.push({ from: at, to: Math.min(next.from, to) });
      at = next.to;
    }
    return gaps;
  }

  /** The index of the first range that ends after this offset. */
  #firstAfter(offset: number): number {
    return firstIndex(this.#joined, ({ to }) => to > offset);
  }
}

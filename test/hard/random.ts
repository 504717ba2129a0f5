/** A number of a run, set by the options of `npm run test:hard`. */
export function setting(name: 'SEED' | 'INPUTS' | 'KILLS' | 'CUTS' | 'MINUTES'): number {
  const value = process.env[`PIXDOCK_HARD_${name}`];
  if (value === undefined) throw new Error('Run these tests with npm run test:hard.');
  return Number(value);
}

/** Random numbers that the seed of the run and the stream's name determine. */
export class Random {
  #state: number;

  constructor(stream: string) {
    this.#state = setting('SEED') >>> 0;
    for (const character of stream) this.#state = Math.imul(this.#state ^ character.charCodeAt(0), 0x01000193) >>> 0;
  }

  /** At least 0 and below 1. Mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number of at least 0 and below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    if (!list.length) throw new Error('There is nothing to pick from.');
    return list[this.below(list.length)] as T;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}

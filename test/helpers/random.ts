/** A whole number of at least 0 and below a bound. */
export type Random = (below: number) => number;

/** A small random number generator, seeded so that failures can be reproduced. */
export function random(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function pick<T>(from: Random, list: readonly T[]): T {
  return list[from(list.length)] as T;
}

export function shuffled<T>(list: readonly T[], from: Random): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(from(rest.length), 1)[0] as T);
}

import type { Change } from '#server/core/journal/changes.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Opaque } from '#server/platform/config/opaque.ts';

/** Keys of the changes that are remembered, together: a stream that was interrupted for some seconds continues where it was. */
const MAX_KEYS = 20_000;

/** The latest changes, numbered. A change is undefined when any may have been missed. */
export interface History {
  /** Remembers a change, and returns its number. */
  add(change: Change | undefined): number;
  latest(): number;
  /** The id of the event that ends with change `number`. */
  idOf(number: number): string;
  /** The changes after an event that this service has sent; undefined when they aren't known any more. */
  after(id: string): (Change | undefined)[] | undefined;
}

export function createHistory(opaque: Pick<Opaque, 'momentOf' | 'readMoment'>, maxKeys = MAX_KEYS): History {
  /** Names this run: numbers begin again with each start, and in each service. */
  const run = randomKey(8);
  const changes: (Change | undefined)[] = [];
  let latest = 0;
  let keys = 0;
  const sizeOf = (change: Change | undefined) => 1 + (change?.keys.length ?? 0);

  return {
    add(change) {
      changes.push(change);
      keys += sizeOf(change);
      while (keys > maxKeys) keys -= sizeOf(changes.shift());
      return ++latest;
    },
    latest: () => latest,
    idOf: (number) => opaque.momentOf(`${run}-${number}`),
    after(id) {
      const [of, text = ''] = (opaque.readMoment(id) ?? '').split('-');
      const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
      const missing = latest - number;
      if (of !== run || missing < 0 || missing > changes.length) return undefined;
      return missing === 0 ? [] : changes.slice(-missing);
    },
  };
}

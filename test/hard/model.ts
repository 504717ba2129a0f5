import { expect } from 'vitest';
import { openDatabase, type Queries } from '#server/platform/db/database.ts';

/** The state of something that clients change. */
export interface State {
  /** Where it is, such as `trash`; `nowhere`: it doesn't exist. */
  place: string;
}

/** A picture's place, bytes, name and visibility; undefined: any. */
export interface Picture extends State {
  place: 'library' | 'trash' | 'nowhere';
  sha256?: string | undefined;
  name?: string | undefined;
  visibility?: string | undefined;
}

/** What exists in a database, by key. */
export type Reader<S extends State> = (queries: Queries) => Promise<Map<string, S>>;

export const readPictures: Reader<Picture> = async (queries) => {
  const rows = await queries.selectFrom('images').select(['key', 'deleted_at', 'sha256', 'name', 'visibility']).execute();
  return new Map(rows.map(({ key, deleted_at, ...row }) => [key, { ...row, place: deleted_at === null ? 'library' : 'trash' }]));
};

/** What a client knows about one kind of thing in a service: what was acknowledged, and what was under way when the service was killed. */
export class Model<S extends State> {
  readonly #read: Reader<S>;
  #known = new Map<string, Partial<S>[]>();
  readonly #busy = new Set<string>();
  #isListening = true;

  constructor(read: Reader<S>) {
    this.#read = read;
  }

  /** A copy, for the state at the time of a backup. */
  copy(): Map<string, Partial<S>[]> {
    return structuredClone(this.#known);
  }

  /** The service is back at an earlier state. */
  reset(to: Map<string, Partial<S>[]>) {
    this.#known = structuredClone(to);
    this.#busy.clear();
  }

  /** The keys in a place that no request is about at the moment. */
  keysIn(place: S['place']): string[] {
    return [...this.#known].flatMap(([key, [state]]) => (state?.place === place && !this.#busy.has(key) ? [key] : []));
  }

  /** Whether a request about a key is under way, or has failed. */
  isBusy(key: string): boolean {
    return this.#busy.has(key);
  }

  /** What was acknowledged last of a key. */
  stateOf(key: string): Partial<S> | undefined {
    return this.#known.get(key)?.[0];
  }

  /** Until the states are compared, takes responses for lost: they may have been sent while the power was being cut. */
  stopListening() {
    this.#isListening = false;
  }

  /** An acknowledged creation, or that something exists which wasn't known yet. */
  added(key: string, state: Partial<S>) {
    if (this.#isListening && !this.#known.has(key)) this.#known.set(key, [state]);
  }

  /**
   * Sends a request that changes something. Until it is acknowledged, both states are possible; if it fails, both stay.
   * @param send returns what is only known afterwards
   * @returns true: a change was sent
   */
  change(key: string, to: Partial<S>, send: () => Promise<Partial<S> | undefined>): Promise<true> {
    return this.changeAll([key], to, send);
  }

  /** The same for a request that changes several. */
  async changeAll(keys: readonly string[], to: Partial<S>, send: () => Promise<Partial<S> | undefined>): Promise<true> {
    const after = new Map<string, Partial<S>>();
    for (const key of keys) {
      const [before] = this.#known.get(key) ?? [{ place: 'nowhere' } as Partial<S>];
      this.#busy.add(key);
      after.set(key, { ...before, ...to });
      this.#known.set(key, [before as Partial<S>, after.get(key) as Partial<S>]);
    }
    const found = await send();
    for (const [key, state] of this.#isListening ? after : []) {
      this.#known.set(key, [{ ...state, ...found }]);
      this.#busy.delete(key);
    }
    return true;
  }

  /** Expects one of the possible states of each in the database of a stopped service. */
  async expectIn(path: string, when: string) {
    expect(await this.wrongIn(path), when).toEqual([]);
  }

  /** Those that are in none of their possible states in the database of a stopped service; takes all that it finds as the known ones. */
  async wrongIn(path: string): Promise<unknown[]> {
    const db = await openDatabase(path);
    try {
      return await this.wrongAmong(db.read);
    } finally {
      await db.close();
    }
  }

  /** The same for a database that is open. */
  async wrongAmong(queries: Queries): Promise<unknown[]> {
    const found = await this.#read(queries);
    const wrong: unknown[] = [];
    for (const [key, possible] of this.#known) {
      const actual = found.get(key) ?? ({ place: 'nowhere' } as S);
      if (!possible.some((state) => isState(actual, state))) wrong.push({ key, actual, possible });
      if (actual.place === 'nowhere') this.#known.delete(key);
      else this.#known.set(key, [actual]);
    }
    this.#busy.clear();
    this.#isListening = true;
    return wrong;
  }
}

function isState<S extends State>(actual: S, expected: Partial<S>): boolean {
  if (actual.place === 'nowhere' || expected.place === 'nowhere') return actual.place === expected.place;
  const isSame = (one: unknown, other: unknown) => one === other || one === undefined || other === undefined;
  return Object.entries(expected).every(([field, value]) => isSame(actual[field as keyof S], value));
}

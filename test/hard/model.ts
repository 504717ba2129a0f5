import { expect } from 'vitest';
import { openDatabase } from '#server/platform/db/database.ts';

/** Where a picture is, its bytes and its name; undefined: any. */
export interface Version {
  place: 'library' | 'trash' | 'nowhere';
  sha256?: string | undefined;
  name?: string | undefined;
}

/** What a client knows about the pictures of a service: what was acknowledged, and what was under way when the service was killed. */
export class Model {
  #pictures = new Map<string, Version[]>();
  readonly #busy = new Set<string>();
  #isListening = true;

  /** A copy, for the state at the time of a backup. */
  copy(): Map<string, Version[]> {
    return structuredClone(this.#pictures);
  }

  /** The service is back at an earlier state. */
  reset(to: Map<string, Version[]>) {
    this.#pictures = structuredClone(to);
    this.#busy.clear();
  }

  /** The keys in a place that no request is about at the moment. */
  keysIn(place: Version['place']): string[] {
    return [...this.#pictures].flatMap(([key, [version]]) => (version?.place === place && !this.#busy.has(key) ? [key] : []));
  }

  /** Until the states are compared, takes responses for lost: they may have been sent while the power was being cut. */
  stopListening() {
    this.#isListening = false;
  }

  /** An acknowledged upload. */
  stored(key: string, sha256: string) {
    if (this.#isListening) this.#pictures.set(key, [{ place: 'library', sha256 }]);
  }

  /**
   * Sends a request that changes a picture. Until it is acknowledged, both states are possible; if it fails, both stay.
   * @param send returns the hash of the picture's bytes if it has changed
   */
  async change(key: string, to: Partial<Version>, send: () => Promise<string | undefined>): Promise<void> {
    const [before] = this.#pictures.get(key) ?? [];
    if (!before) throw new Error(`${key} is unknown`);
    this.#busy.add(key);
    const after = { ...before, ...to };
    this.#pictures.set(key, [before, after]);
    const sha256 = (await send()) ?? after.sha256;
    if (!this.#isListening) return;
    this.#pictures.set(key, [{ ...after, sha256 }]);
    this.#busy.delete(key);
  }

  /** Expects one of the possible states of each picture in the database of a stopped service. */
  async expectIn(path: string, when: string) {
    expect(await this.wrongIn(path), when).toEqual([]);
  }

  /** The pictures in the database of a stopped service that are in none of their possible states; takes all that it finds as the known ones. */
  async wrongIn(path: string): Promise<unknown[]> {
    const db = await openDatabase(path);
    const rows = await db.read.selectFrom('images').select(['key', 'deleted_at', 'sha256', 'name']).execute();
    await db.close();
    const found = new Map(
      rows.map(({ key, deleted_at, sha256, name }): [string, Version] => [
        key,
        { place: deleted_at === null ? 'library' : 'trash', sha256, name },
      ]),
    );
    const wrong: unknown[] = [];
    for (const [key, possible] of this.#pictures) {
      const actual: Version = found.get(key) ?? { place: 'nowhere' };
      const isPossible = possible.some(
        ({ place, sha256 = actual.sha256, name = actual.name }) =>
          place === actual.place && (place === 'nowhere' || (sha256 === actual.sha256 && name === actual.name)),
      );
      if (!isPossible) wrong.push({ key, actual, possible });
      if (actual.place === 'nowhere') this.#pictures.delete(key);
      else this.#pictures.set(key, [actual]);
    }
    this.#busy.clear();
    this.#isListening = true;
    return wrong;
  }
}

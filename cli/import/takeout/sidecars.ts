import { originalOf } from './edited.ts';
import {
  baseKey,
  folded,
  type Lookup,
  lookups,
  mayBeCalled,
  type NameParts,
  partsOf,
  type SidecarName,
  sidecarName,
  titleKey,
} from './names.ts';

/** Finds out which JSON file belongs to which picture or video of a folder, by their names and in doubt by the title in the JSON file. */
export class Sidecars<File extends { name: string }> {
  readonly #bySubject = new Map<string, Sidecar<File>[]>();
  readonly #all: Sidecar<File>[];
  readonly #titleOf: (file: File) => Promise<string | undefined>;

  constructor(files: File[], titleOf: (file: File) => Promise<string | undefined>) {
    this.#titleOf = titleOf;
    this.#all = files.map((file) => ({ file, ...sidecarName(folded(file.name)), isTaken: false }));
    for (const sidecar of this.#all) {
      for (const subject of sidecar.subjects) this.#bySubject.set(subject, [...(this.#bySubject.get(subject) ?? []), sidecar]);
    }
  }

  /** The JSON file of each picture or video that has one. Those that come first have priority. */
  async match(media: File[]): Promise<Map<File, File>> {
    const found = new Map<File, File>();
    const rest = new Map(media.map((file) => [file, partsOf(folded(file.name))]));
    // On some systems, two names may differ in case only.
    for (const file of media) {
      const [sidecar] = this.#free({ subject: folded(file.name), number: 0 }).filter(({ file: { name } }) => name.startsWith(file.name));
      if (sidecar) take(file, sidecar);
    }
    for (const step of [0, 1, 2, 3]) {
      for (const [file, parts] of rest) {
        const sidecar = await this.#choose(lookups(parts)[step] ?? [], parts, step === 1);
        if (sidecar) take(file, sidecar);
      }
    }
    const titled = rest.size > 0 ? await this.#titled() : new Map<string, Sidecar<File>[]>();
    for (const [file, parts] of rest) {
      const free = titled.get(baseKey(parts.base))?.filter(({ isTaken, number }) => !isTaken && number === parts.number);
      const sidecar = await this.#byTitle(free ?? [], parts);
      if (sidecar) take(file, sidecar);
    }
    for (const [file, parts] of rest) {
      const sidecar = this.#ofOriginal(parts);
      if (sidecar) take(file, sidecar);
    }
    return found;

    function take(file: File, sidecar: Sidecar<File>) {
      sidecar.isTaken = true;
      found.set(file, sidecar.file);
      rest.delete(file);
    }
  }

  /** The JSON files that belong to nothing in this folder. */
  get left(): File[] {
    return this.#all.filter(({ isTaken }) => !isTaken).map(({ file }) => file);
  }

  #free({ subject, number }: Lookup): Sidecar<File>[] {
    return (this.#bySubject.get(subject) ?? []).filter((sidecar) => sidecar.number === number && !sidecar.isTaken);
  }

  async #choose(wanted: Lookup[], parts: NameParts, isCut: boolean): Promise<Sidecar<File> | undefined> {
    for (const lookup of wanted) {
      const [first] = this.#free(lookup);
      if (!first) continue;
      // Several long names can have the same beginning.
      const title = isCut ? await this.#titleOf(first.file) : undefined;
      if (!title || mayBeCalled(title, parts)) return first;
      const others = (this.#bySubject.get(lookup.subject) ?? []).filter(({ isTaken }) => !isTaken);
      const other = await this.#byTitle(others, parts);
      if (other) return other;
    }
    return undefined;
  }

  async #byTitle(sidecars: Sidecar<File>[], parts: NameParts): Promise<Sidecar<File> | undefined> {
    for (const sidecar of sidecars) {
      const title = await this.#titleOf(sidecar.file);
      if (title && mayBeCalled(title, parts)) return sidecar;
    }
    return undefined;
  }

  /** Those that are left, by their titles. */
  async #titled(): Promise<Map<string, Sidecar<File>[]>> {
    const titled = new Map<string, Sidecar<File>[]>();
    for (const sidecar of this.#all.filter(({ isTaken }) => !isTaken)) {
      const title = await this.#titleOf(sidecar.file);
      if (!title) continue;
      const key = titleKey(title);
      titled.set(key, [...(titled.get(key) ?? []), sidecar]);
    }
    return titled;
  }

  /** An edited copy shares the JSON file of its original. The number may come before or after the word. */
  #ofOriginal({ base, number, extension }: NameParts): Sidecar<File> | undefined {
    const original = originalOf(base);
    if (original === undefined) return undefined;
    const inner = partsOf(original + extension);
    const parts = number ? { base: original, number, extension } : inner;
    for (const { subject, number: wanted } of lookups(parts).flat()) {
      const sidecar = this.#bySubject.get(subject)?.find((other) => other.number === wanted);
      if (sidecar) return sidecar;
    }
    return undefined;
  }
}

interface Sidecar<File> extends SidecarName {
  file: File;
  isTaken: boolean;
}

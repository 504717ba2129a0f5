import type { Album } from '#api/albums/albums.ts';

const MAX_NAME_LENGTH = 200;

/** The caller's albums on a service. */
export interface AlbumSource {
  list(): Promise<Album[]>;
  create(name: string): Promise<Pick<Album, 'id'>>;
}

/** Finds albums by title and creates missing ones; fetches the list once. */
export class AlbumTitles {
  readonly #source: AlbumSource;
  #albums: Promise<Album[]> | undefined;
  readonly #found = new Map<string, Promise<string>>();

  constructor(source: AlbumSource) {
    this.#source = source;
  }

  /** All albums. @throws what the source throws */
  list(): Promise<Album[]> {
    this.#albums ??= this.#source.list();
    this.#albums.catch(() => {
      this.#albums = undefined;
    });
    return this.#albums;
  }

  /** The id of the album with this title, created if missing. @throws what the source throws */
  findOrCreate(title: string): Promise<string> {
    const known = this.#found.get(title);
    if (known) return known;
    const id = this.#lookUpOrCreate(title);
    this.#found.set(title, id);
    // Lets the next file try again, with a new list: the album may exist even if the response was lost.
    id.catch(() => {
      this.#found.delete(title);
      this.#albums = undefined;
    });
    return id;
  }

  async #lookUpOrCreate(title: string): Promise<string> {
    // Folders of a Mac have names in NFD.
    const name = title.normalize('NFC');
    const id = (await this.list()).find((album) => album.name.normalize('NFC') === name)?.id;
    return id ?? (await this.#source.create(name)).id;
  }
}

/** A name that the server accepts: trimmed and not empty. A long path is cut at its start, because its end says more. */
export function albumTitle(name: string) {
  const title = name.trim() || JSON.stringify(name);
  if (title.length <= MAX_NAME_LENGTH) return title;
  const end = title.slice(1 - MAX_NAME_LENGTH).toWellFormed();
  return `…${end.trim()}`;
}

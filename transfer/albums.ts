import type { Album } from '#api/albums/albums.ts';
import { albumNamed } from '#api/albums/find-album.ts';
import { cleanLine, cutStart } from '#api/plain-text.ts';

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
    const album = albumNamed(await this.list(), title);
    return (album ?? (await this.#source.create(title))).id;
  }
}

/** A name that the server accepts: clean, not empty, and not too long. */
export const albumTitle = (name: string): string => cutStart(cleanLine(name) || cleanLine(JSON.stringify(name)), MAX_NAME_LENGTH);

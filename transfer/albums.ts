import { createAlbum } from '#api/albums.ts';
import type { Client } from '#api/client.ts';
import { allAlbums } from '#api/find-album.ts';

const MAX_NAME_LENGTH = 200;

/** Finds the caller's albums by title and creates missing ones; fetches the list once. */
export class AlbumTitles {
  readonly #client: Client;
  #albums: ReturnType<typeof allAlbums> | undefined;
  readonly #found = new Map<string, Promise<string>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** All albums of the caller. @throws the client's errors */
  list() {
    this.#albums ??= allAlbums(this.#client);
    this.#albums.catch(() => {
      this.#albums = undefined;
    });
    return this.#albums;
  }

  /** The id of the album with this title, created if missing. @throws the client's errors */
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

  async #lookUpOrCreate(name: string): Promise<string> {
    const id = (await this.list()).find((album) => album.name === name)?.id;
    return id ?? (await this.#client.call(createAlbum, { body: { name } })).id;
  }
}

/** A name that the server accepts: trimmed and not empty. A long path is cut at its start, because its end says more. */
export function albumTitle(name: string) {
  const title = name.trim() || JSON.stringify(name);
  if (title.length <= MAX_NAME_LENGTH) return title;
  const end = title.slice(1 - MAX_NAME_LENGTH).toWellFormed();
  return `…${end.trim()}`;
}

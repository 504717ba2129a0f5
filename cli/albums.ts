import { createAlbum } from '#api/albums.ts';
import { ApiError, type Client } from '#api/client.ts';
import { allAlbums, findAlbum } from '#api/find-album.ts';
import { CommandError } from './errors.ts';

/** Albums can't be found or created, whatever the file. */
export class AlbumError extends CommandError {}

const MAX_NAME_LENGTH = 200;
const NEEDS_FULL =
  "Finding albums by name needs a token with full access, and this one can only upload. Use a full-access token, or give the album's ID.";

/** Finds albums by name and creates missing ones; fetches the list once. */
export class AlbumFinder {
  readonly #client: Client;
  #albums: ReturnType<typeof allAlbums> | undefined;
  readonly #created = new Map<string, Promise<string>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * The id of the album with this name or id.
   * @throws CommandError if there is none, or if the token can't list albums
   */
  async find(text: string): Promise<string> {
    try {
      const id = findAlbum(await this.#list(), text);
      if (id) return id;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error;
      if (/^[0-9A-Za-z]{10}$/.test(text)) return text;
      throw new AlbumError(NEEDS_FULL, { cause: error });
    }
    throw new CommandError(`There is no album ${JSON.stringify(text)}.`);
  }

  /** The id of the album with this title, created if missing. */
  findOrCreate(title: string): Promise<string> {
    const known = this.#created.get(title);
    if (known) return known;
    const id = this.#lookUpOrCreate(title);
    this.#created.set(title, id);
    // Lets the next file try again, with a new list: the album may exist even if the response was lost.
    id.catch(() => {
      this.#created.delete(title);
      this.#albums = undefined;
    });
    return id;
  }

  async #lookUpOrCreate(name: string): Promise<string> {
    try {
      const id = (await this.#list()).find((album) => album.name === name)?.id;
      return id ?? (await this.#client.call(createAlbum, { body: { name } })).id;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'forbidden') throw new AlbumError(NEEDS_FULL, { cause: error });
      throw error;
    }
  }

  #list() {
    this.#albums ??= allAlbums(this.#client);
    this.#albums.catch(() => {
      this.#albums = undefined;
    });
    return this.#albums;
  }
}

/** A name that the server accepts: trimmed and not empty. A long path is cut at its start, because its end says more. */
export function albumTitle(name: string) {
  const title = name.trim() || JSON.stringify(name);
  if (title.length <= MAX_NAME_LENGTH) return title;
  const end = title.slice(1 - MAX_NAME_LENGTH).toWellFormed();
  return `…${end.trim()}`;
}

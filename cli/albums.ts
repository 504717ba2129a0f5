import { createAlbum } from '#api/albums.ts';
import { ApiError, type Client } from '#api/client.ts';
import { allAlbums, findAlbum } from '#api/find-album.ts';
import { CommandError } from './errors.ts';

/** No album can be found for any file. */
export class AlbumError extends CommandError {}

const NAME_LENGTH = 200;
const NEEDS_FULL =
  'Albums are found by their names with a token of scope «full» only; this one may upload. Make such a token, or give the id of the album.';

/** Finds albums by name, and makes the missing ones; asks the server for the list once. */
export class AlbumFinder {
  readonly #client: Client;
  #albums: ReturnType<typeof allAlbums> | undefined;
  readonly #created = new Map<string, Promise<string>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * The id of the album with this name or id.
   * @throws CommandError when there is none, or when the token may not look
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

  /** The id of the album with this title, which is made when it is missing. */
  findOrCreate(title: string): Promise<string> {
    const known = this.#created.get(title);
    if (known) return known;
    const id = this.#lookUpOrCreate(title);
    this.#created.set(title, id);
    // The next file may try again, and looks first: the album may be there although the answer was lost.
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

/** A name as the server keeps it, which takes spaces off and wants something to remain; of a long path, the end says more. */
export function albumTitle(name: string) {
  const title = name.trim() || JSON.stringify(name);
  if (title.length <= NAME_LENGTH) return title;
  const end = title.slice(1 - NAME_LENGTH).toWellFormed();
  return `…${end.trim()}`;
}

import { createAlbum } from '#api/albums/albums.ts';
import { allAlbums, findAlbum, mayAdd, sharedAlbums } from '#api/albums/find-album.ts';
import { ApiError, type Client } from '#api/client.ts';
import { AlbumTitles } from '#transfer/albums.ts';
import { CommandError } from './errors.ts';

/** Albums can't be found or created, whatever the file. */
export class AlbumError extends CommandError {}

const NEEDS_FULL =
  'Finding albums by name needs a token with full access, and this one can only upload. Use a full-access token, or give the album’s ID.';

/** Finds albums by name and creates missing ones; fetches the list once. */
export class AlbumFinder {
  readonly #titles: AlbumTitles;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    this.#titles = new AlbumTitles({
      list: () => allAlbums(client),
      create: (name) => client.call(createAlbum, { body: { name } }),
    });
  }

  /**
   * The id of the album with this name or id: the caller's own, otherwise one of others into which the caller may put pictures.
   * @throws CommandError if there is none, or if the token can't list albums
   */
  async find(text: string): Promise<string> {
    try {
      const id = findAlbum(await this.#titles.list(), text);
      if (id) return id;
      const shared = findAlbum((await sharedAlbums(this.#client)).filter(mayAdd), text);
      if (shared) return shared;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error;
      if (/^[0-9A-Za-z]{10}$/.test(text)) return text;
      throw new AlbumError(NEEDS_FULL, { cause: error });
    }
    throw new CommandError(`There’s no album ${JSON.stringify(text)}.`);
  }

  /** The id of the album with this title, created if missing. */
  async findOrCreate(title: string): Promise<string> {
    try {
      return await this.#titles.findOrCreate(title);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'forbidden') throw new AlbumError(NEEDS_FULL, { cause: error });
      throw error;
    }
  }
}

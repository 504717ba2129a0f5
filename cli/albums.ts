import { type Album, createAlbum } from '#api/albums/albums.ts';
import { allAlbums, findAlbum, mayAdd, namesakes, sharedAlbums } from '#api/albums/find-album.ts';
import { ApiError, type Client } from '#api/client.ts';
import { AlbumTitles } from '#transfer/albums.ts';
import { CommandError } from './errors.ts';

/** Albums can't be found or created, whatever the file. */
export class AlbumError extends CommandError {}

const NEEDS_FULL =
  'Finding albums by name needs a token with full access, and this one can only upload. Use a full-access token, or give the album’s ID.';

const ID = /^[0-9A-Za-z]{10}$/;

/** An album that was found; only its id if the token can't list albums. */
export interface FoundAlbum {
  id: string;
  album?: Album;
}

/** Finds albums by name and creates missing ones; fetches the lists once. */
export class AlbumFinder {
  readonly #titles: AlbumTitles;
  readonly #client: Client;
  readonly #onOther: (album: Album) => void;
  readonly #told = new Set<string>();
  readonly #found = new Map<string, Promise<FoundAlbum>>();
  #others: Promise<Album[]> | undefined;

  /** @param onOther called once for each album of another user that is found, before anything goes into it */
  constructor(client: Client, onOther: (album: Album) => void = () => undefined) {
    this.#client = client;
    this.#onOther = onOther;
    this.#titles = new AlbumTitles({
      list: () => allAlbums(client),
      create: (name) => client.call(createAlbum, { body: { name } }),
    });
  }

  /**
   * An album into which the caller may put pictures: one's own by id or name, another user's by id or `owner/name`.
   * @throws CommandError if there is none, or if the token can't list albums
   */
  find(text: string): Promise<FoundAlbum> {
    return this.#once(text, async (others) => {
      const [namesake] = namesakes(others, text);
      if (namesake === undefined) throw new CommandError(`There’s no album ${JSON.stringify(text)}.`);
      const named = `write ${JSON.stringify(namesake)}`;
      throw new CommandError(`You have no album ${JSON.stringify(text)}. For the one that is shared with you, ${named}.`);
    });
  }

  /** The same; if there is none, a new one with this name. */
  findOrCreateNamed(text: string): Promise<FoundAlbum> {
    const create = async () => ({ id: await this.#titles.findOrCreate(text) });
    // Nothing else can mean an album of another user.
    return ID.test(text) || text.includes('/') ? this.#once(text, create) : explained(create);
  }

  /** The id of one's own album with this title, created if missing: those of others are never meant. */
  async findOrCreate(title: string): Promise<string> {
    return explained(() => this.#titles.findOrCreate(title));
  }

  #once(text: string, otherwise: (others: Album[]) => Promise<FoundAlbum>): Promise<FoundAlbum> {
    const known = this.#found.get(text);
    if (known) return known;
    const found = explained(() => this.#find(text, otherwise)).catch((error: unknown) => {
      // The id is all that such a token can know.
      if (error instanceof AlbumError && ID.test(text)) return { id: text };
      throw error;
    });
    this.#found.set(text, found);
    // Lets the next file try again.
    found.catch(() => this.#found.delete(text));
    return found;
  }

  async #find(text: string, otherwise: (others: Album[]) => Promise<FoundAlbum>): Promise<FoundAlbum> {
    const own = findAlbum(await this.#titles.list(), text);
    if (own) return { id: own.id, album: own };
    this.#others ??= sharedAlbums(this.#client).then((albums) => albums.filter(mayAdd));
    this.#others.catch(() => {
      this.#others = undefined;
    });
    const others = await this.#others;
    const album = findAlbum(others, text);
    if (!album) return otherwise(others);
    if (!this.#told.has(album.id)) this.#onOther(album);
    this.#told.add(album.id);
    return { id: album.id, album };
  }
}

/** Says whose another user's album is. */
export const describeOther = ({ name, owner }: Pick<Album, 'name' | 'owner'>): string =>
  `The album “${name}” belongs to ${owner.username}. Everyone with whom it is shared can see what you put into it.`;

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error;
    throw new AlbumError(NEEDS_FULL, { cause: error });
  }
}

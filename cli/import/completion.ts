import { addToAlbum } from '#api/albums/pictures.ts';
import { ApiError } from '#api/client.ts';
import { MAX_TAGS } from '#api/constants.ts';
import { updateImage } from '#api/images/changes.ts';
import type { FormFields, UploadResult } from '#api/images/upload.ts';
import type { Run } from '../run.ts';
import type { Picture } from './picture.ts';

/** What is left out because the token can only upload: favourites, and pictures whose albums aren't set. */
export interface LeftOut {
  favourites: number;
  in_albums: number;
}

/** Sets what an upload can't, or what its token may not. */
export class Completion {
  /** Whether the token may do more than upload. */
  readonly mayChange: boolean;
  readonly #run: Run;
  readonly #leftOut: LeftOut;
  readonly #stop: AbortSignal;

  private constructor(run: Run, leftOut: LeftOut, { mayChange, stop }: { mayChange: boolean; stop: AbortSignal }) {
    this.#run = run;
    this.#leftOut = leftOut;
    this.mayChange = mayChange;
    this.#stop = stop;
  }

  /** Asks the server what the token may do, and says what is left out. @throws what the client throws */
  static async start(run: Run, leftOut: LeftOut, stop: AbortSignal): Promise<Completion> {
    const list = () => run.connection.client.call('GET /albums', { query: { limit: 1 } });
    const mayChange = await run.withRetries(list, stop).then(
      () => true,
      (error) => {
        if (error instanceof ApiError && (error.code === 'forbidden' || !run.connection.token)) return false;
        throw error;
      },
    );
    if (!mayChange)
      run.terminal.note(
        'This token can only upload: favourites and albums are left out. A full-access token sets them, too, now or in a later run.',
      );
    return new Completion(run, leftOut, { mayChange, stop });
  }

  /**
   * The fields of a picture's upload. A caption in the form would make a new picture of one that the server has without it; who may change
   * pictures sets it afterwards.
   */
  fieldsOf({ time, caption, fields: own, changes }: Picture, albumIds: string[]): FormFields {
    const fields = { ...time, ...own };
    if (this.mayChange) return { ...fields, ...(albumIds.length > 0 && { albums: albumIds.join() }) };
    const { max_views, title, alt } = changes ?? {};
    return {
      ...fields,
      ...(caption && { caption }),
      ...(title && { title }),
      ...(alt && { alt }),
      ...(max_views !== undefined && { max_views: String(max_views) }),
    };
  }

  /** Adds what the uploaded picture lacks; what its owner has written stays. */
  async finish({ caption, favourite, albums, changes }: Picture, uploaded: UploadResult): Promise<void> {
    if (!this.mayChange) return this.#leaveOut(favourite, albums);
    const { tags = [], max_views, taken_at, title, alt, slug } = changes ?? {};
    const own = uploaded.tags ?? [];
    const change = {
      ...(caption && !uploaded.caption && { caption }),
      ...(favourite && !uploaded.favourite && { favourite }),
      ...(tags.some((tag) => !own.includes(tag)) && { tags: [...new Set([...own, ...tags])].slice(0, MAX_TAGS) }),
      ...(max_views !== undefined && !uploaded.max_views && { max_views }),
      ...(title && !uploaded.title && { title }),
      ...(alt && !uploaded.alt && { alt }),
      ...(slug && !uploaded.slug && { slug }),
      ...(taken_at && !uploaded.reused && Date.parse(taken_at) !== Date.parse(uploaded.taken_at ?? '') && { taken_at }),
    };
    const { key } = uploaded;
    if (Object.keys(change).length > 0) await this.#request(() => this.#client.call(updateImage, { params: { key }, body: change }));
  }

  /** Adds a picture of an earlier run to the albums of its further files. @returns whether it still exists */
  async addTo({ albums }: Picture, key: string, albumIds: string[]): Promise<boolean> {
    if (!this.mayChange) this.#leaveOut(false, albums);
    for (const id of albumIds) {
      const outcome = await this.#request(() => this.#client.call(addToAlbum, { params: { id }, body: { keys: [key] } }));
      if (!outcome?.results[0]?.ok) return false;
    }
    return true;
  }

  get #client() {
    return this.#run.connection.client;
  }

  #leaveOut(favourite: boolean, albums: string[]) {
    if (favourite) this.#leftOut.favourites++;
    if (albums.length > 0) this.#leftOut.in_albums++;
  }

  /** Undefined if the picture or album has been deleted meanwhile. */
  async #request<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    return this.#run.withRetries(attempt, this.#stop).catch((error) => {
      if (error instanceof ApiError && (error.code === 'not_found' || error.code === 'slug_taken')) return undefined;
      throw error;
    });
  }
}

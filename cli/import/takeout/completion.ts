import { addToAlbum } from '#api/albums/pictures.ts';
import { ApiError } from '#api/client.ts';
import { updateImage } from '#api/images/changes.ts';
import type { FormFields, UploadResult } from '#api/images/upload.ts';
import type { Run } from '../../run.ts';
import type { Picture, TakeoutPart } from '../picture.ts';
import type { TakeoutSummary } from './summary.ts';

/** Sets what an upload can't, or what its token may not. */
export class Completion {
  /** Whether the token may do more than upload. */
  readonly mayChange: boolean;
  readonly #run: Run;
  readonly #summary: TakeoutSummary;
  readonly #stop: AbortSignal;

  private constructor(run: Run, summary: TakeoutSummary, { mayChange, stop }: { mayChange: boolean; stop: AbortSignal }) {
    this.#run = run;
    this.#summary = summary;
    this.mayChange = mayChange;
    this.#stop = stop;
  }

  /** Asks the server what the token may do. @throws what the client throws */
  static async start(run: Run, summary: TakeoutSummary, stop: AbortSignal): Promise<Completion> {
    const list = () => run.connection.client.call('GET /albums', { query: { limit: 1 } });
    const mayChange = await run.withRetries(list, stop).then(
      () => true,
      (error) => {
        if (error instanceof ApiError && (error.code === 'forbidden' || !run.connection.token)) return false;
        throw error;
      },
    );
    return new Completion(run, summary, { mayChange, stop });
  }

  /**
   * The fields of a picture's upload. A caption in the form would make a new picture of one that the server has without it; who may change
   * pictures sets it afterwards.
   */
  fieldsOf({ time, takeout }: Picture, albumIds: string[]): FormFields {
    if (this.mayChange) return { ...time, ...(albumIds.length > 0 && { albums: albumIds.join() }) };
    return { ...time, ...(takeout?.caption && { caption: takeout.caption }) };
  }

  /** Adds what the uploaded picture lacks; what its owner has written stays. */
  async finish({ takeout, albums }: Picture, { key, caption, favourite }: UploadResult): Promise<void> {
    if (!takeout) return;
    if (!this.mayChange) return this.#leaveOut(takeout, albums);
    const change = {
      ...(takeout.caption && !caption && { caption: takeout.caption }),
      ...(takeout.favourite && !favourite && { favourite: true }),
    };
    if (Object.keys(change).length > 0) await this.#request(() => this.#client.call(updateImage, { params: { key }, body: change }));
  }

  /** Adds a picture of an earlier run to the albums of its further files. @returns whether it still exists */
  async addTo({ takeout, albums }: Picture, key: string, albumIds: string[]): Promise<boolean> {
    if (takeout && !this.mayChange) this.#leaveOut({ ...takeout, favourite: false }, albums);
    for (const id of albumIds) {
      const outcome = await this.#request(() => this.#client.call(addToAlbum, { params: { id }, body: { keys: [key] } }));
      if (!outcome?.results[0]?.ok) return false;
    }
    return true;
  }

  get #client() {
    return this.#run.connection.client;
  }

  #leaveOut({ favourite }: TakeoutPart, albums: string[]) {
    if (favourite) this.#summary.left_out.favourites++;
    if (albums.length > 0) this.#summary.left_out.in_albums++;
  }

  /** Undefined if the picture or album has been deleted meanwhile. */
  async #request<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    return this.#run.withRetries(attempt, this.#stop).catch((error) => {
      if (error instanceof ApiError && error.code === 'not_found') return undefined;
      throw error;
    });
  }
}

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import pLimit from 'p-limit';
import { type Conversion, IDEMPOTENCY_HEADER } from '#api/constants.ts';
import { isGone } from '#api/failures.ts';
import { type FormFields, type UploadResult, uploadUrl } from '#api/images/upload.ts';
import { linkOf } from '#api/sharing/link-formats.ts';
import { openFile, openInside } from '#transfer/open-file.ts';
import { concernsAllFiles } from '../failures.ts';
import { hashFile } from '../hash-file.ts';
import type { ImageSource } from '../image-source.ts';
import type { Run } from '../run.ts';
import { uploadImage } from '../upload-image.ts';

const MAX_PARALLEL = 8;

/**
 * Uploads pictures, each once: by its path, its content, and across runs by an `Idempotency-Key` made from the content and the token. Nothing has
 * to be remembered on this computer.
 */
export class PictureUploads {
  readonly #run: Run;
  readonly #fields: FormFields;
  readonly #signal: AbortSignal;
  readonly #limit = pLimit(MAX_PARALLEL);
  readonly #urls = new Map<string, Promise<string>>();
  readonly #secret: string | Buffer;
  /** Why no more are sent. */
  ending: Error | undefined;

  constructor(run: Run, fields: FormFields, signal: AbortSignal) {
    this.#run = run;
    this.#fields = fields;
    this.#signal = signal;
    // The token keeps the password of the options from being guessed from the key; guests have no identity that lasts.
    this.#secret = run.connection.token ?? randomBytes(32);
  }

  /**
   * The link of a file's picture. It is opened once, so that what is sent is what was compared.
   * @param folder where the file must be, if not anywhere
   * @throws why it can't be uploaded
   */
  ofFile(path: string, folder: string | undefined, size: number): Promise<string> {
    return this.#once(`file ${path}`, () =>
      this.#limit(async () => {
        await using file = await (folder === undefined ? openFile(path) : openInside(path, [folder]));
        const image = { ...file, name: basename(path) };
        return await this.#once(`content ${await hashFile(file.handle, this.#signal)}`, (key) => this.#sendFile(image, key));
      }),
    ).finally(() => this.#run.terminal.advance({ files: 1, bytes: size }));
  }

  /** The link of a picture that the service fetches. @throws why it can't be uploaded */
  ofAddress(address: string): Promise<string> {
    return this.#once(`address ${address}`, (key) => this.#limit(() => this.#fetch(address, key))).finally(() =>
      this.#run.terminal.advance({ files: 1 }),
    );
  }

  #once(identity: string, make: (key: string) => Promise<string>): Promise<string> {
    const url = this.#urls.get(identity) ?? make(this.#keyOf(identity));
    this.#urls.set(identity, url);
    return url;
  }

  #keyOf(identity: string) {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify(['markdown', identity, Object.entries(this.#fields).sort()]))
      .digest('hex');
  }

  #sendFile(image: ImageSource, key: string) {
    const { connection, timeout } = this.#run;
    return this.#send(key, (idempotencyKey) =>
      uploadImage(connection, image, this.#fields, { timeout, signal: this.#signal, idempotencyKey }),
    );
  }

  #fetch(address: string, key: string) {
    const { album_id, albums, visibility, expires_in, expires_at, convert } = this.#fields;
    const body = {
      url: address,
      ...(visibility && { visibility: visibility as 'public' | 'private' }),
      ...(expires_in !== undefined && { expires_in: Number(expires_in) }),
      ...(expires_at && { expires_at }),
      ...(convert && { convert: convert as Conversion }),
      ...(album_id && { album_id }),
      ...(albums && { albums: albums.split(',') }),
    };
    return this.#send(key, (idempotencyKey) =>
      this.#run.connection.client.call(uploadUrl, {
        query: {},
        body,
        headers: { [IDEMPOTENCY_HEADER]: idempotencyKey },
        signal: this.#signal,
      }),
    );
  }

  async #send(key: string, attempt: (idempotencyKey: string) => Promise<UploadResult>): Promise<string> {
    if (this.ending) throw this.ending;
    try {
      const uploaded = await this.#run
        .withRetries((newKey = key) => attempt(newKey), this.#signal)
        .catch((error) => {
          // It has been deleted or replaced since an earlier run: the document needs it again.
          if (isGone(error)) return this.#run.withRetries((newKey = randomUUID()) => attempt(newKey), this.#signal);
          throw error;
        });
      return linkOf(uploaded, 'url');
    } catch (error) {
      if (concernsAllFiles(error)) this.ending ??= error;
      throw error;
    }
  }
}

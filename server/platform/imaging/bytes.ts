import { type FileHandle, open } from 'node:fs/promises';
import { DamagedImageError } from './errors.ts';

const WINDOW_BYTES = 256 * 1024;

/** Part of a file, from the first offset up to but not including the second. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Random access to an image through one moving window, so that a file of any size takes the same memory.
 * Reading beyond the end means that the image is incomplete: `DamagedImageError`.
 */
export class ImageBytes implements AsyncDisposable {
  readonly path: string;
  readonly size: number;
  readonly #handle: FileHandle;
  readonly #memory: Buffer;
  #window: Buffer;
  #start = 0;

  private constructor(path: string, handle: FileHandle, size: number) {
    this.path = path;
    this.#handle = handle;
    this.size = size;
    this.#memory = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, size));
    this.#window = this.#memory.subarray(0, 0);
  }

  static async open(path: string): Promise<ImageBytes> {
    const handle = await open(path, 'r');
    try {
      return new ImageBytes(path, handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }

  /** Exactly `length` bytes, at most a window (256 KiB). The view is valid until the next call. */
  async at(offset: number, length: number): Promise<Buffer> {
    if (length > WINDOW_BYTES) throw new RangeError(`A view is at most ${WINDOW_BYTES} bytes, not ${length}.`);
    if (offset < 0 || offset + length > this.size) throw new DamagedImageError();
    if (offset < this.#start || offset + length > this.#start + this.#window.length) await this.#move(offset);
    const from = offset - this.#start;
    if (from + length > this.#window.length) throw new DamagedImageError();
    return this.#window.subarray(from, from + length);
  }

  /** The bytes from `offset` to the end of the window: at least one. The view is valid until the next call. */
  async some(offset: number): Promise<Buffer> {
    await this.at(offset, 1);
    return this.#window.subarray(offset - this.#start);
  }

  /** Copies a range into a new buffer. The caller bounds its length. */
  async copy({ from, to }: ByteRange): Promise<Buffer> {
    const copy = Buffer.allocUnsafe(Math.max(0, to - from));
    const { bytesRead } = await this.#handle.read(copy, 0, copy.length, from);
    if (bytesRead < copy.length) throw new DamagedImageError();
    return copy;
  }

  async #move(offset: number): Promise<void> {
    const { bytesRead } = await this.#handle.read(this.#memory, 0, this.#memory.length, offset);
    this.#window = this.#memory.subarray(0, bytesRead);
    this.#start = offset;
  }
}

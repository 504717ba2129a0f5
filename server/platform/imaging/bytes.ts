import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { FileContent } from '#server/platform/files/staged-file.ts';
import { DamagedImageError } from './errors.ts';

const WINDOW_BYTES = 256 * 1024;

/** Reads after which everything else in the process gets its turn: about a millisecond's worth. */
const READS_PER_TURN = 500;
/** Of one picture: several times what the largest real ones need, such as a PNG of 100 MB in chunks of 8 KB. */
const MAX_READS = 200_000;

/** Part of a file, from the first offset up to but not including the second. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Random access to an image: in memory, or through one moving window, so that a file of any size takes the same memory.
 * Reading beyond the end means that the image is incomplete: `DamagedImageError`. So does reading more often than any sound picture needs; meanwhile, others get their turn.
 */
export class ImageBytes implements AsyncDisposable {
  readonly size: number;
  /** Where the bytes are. */
  readonly content: FileContent;
  /** Undefined: the window is the whole file. */
  readonly #handle: FileHandle | undefined;
  readonly #memory: Buffer;
  #window: Buffer;
  #start = 0;
  #reads = 0;

  private constructor(file: FileContent, content: Buffer | { handle: FileHandle; size: number }) {
    this.content = file;
    if (Buffer.isBuffer(content)) {
      this.size = content.length;
      this.#memory = this.#window = content;
      return;
    }
    this.#handle = content.handle;
    this.size = content.size;
    this.#memory = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, content.size));
    this.#window = this.#memory.subarray(0, 0);
  }

  /** @param source its path, its bytes, or a file that may be in memory */
  static async open(source: string | Uint8Array | FileContent): Promise<ImageBytes> {
    if (source instanceof Uint8Array) return ImageBytes.open({ path: '', bytes: source });
    const file = typeof source === 'string' ? { path: source } : source;
    const { path, bytes }: FileContent = file;
    if (bytes) return new ImageBytes(file, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    const handle = await open(path, 'r');
    try {
      return new ImageBytes(file, { handle, size: (await handle.stat()).size });
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
  }

  /** Exactly `length` bytes, at most a window (256 KiB). The view is valid until the next call. */
  async at(offset: number, length: number): Promise<Buffer> {
    if (length > WINDOW_BYTES) throw new RangeError(`A view is at most ${WINDOW_BYTES} bytes, not ${length}.`);
    if (offset < 0 || offset + length > this.size) throw new DamagedImageError();
    if (this.#countRead()) await setImmediate();
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
    if (this.#countRead()) await setImmediate();
    if (!this.#handle) return Buffer.from(this.#slice(from, to));
    const copy = Buffer.allocUnsafe(Math.max(0, to - from));
    const { bytesRead } = await this.#handle.read(copy, 0, copy.length, from);
    if (bytesRead < copy.length) throw new DamagedImageError();
    return copy;
  }

  #slice(from: number, to: number): Buffer {
    if (from < 0 || to > this.size) throw new DamagedImageError();
    return this.#memory.subarray(from, Math.max(from, to));
  }

  /** Whether it is time to let others have their turn. A walk through bytes in memory would never give them one. */
  #countRead(): boolean {
    if (++this.#reads > MAX_READS) throw new DamagedImageError('The picture has too many segments.');
    return this.#reads % READS_PER_TURN === 0;
  }

  async #move(offset: number): Promise<void> {
    if (!this.#handle) return; // the window holds everything
    const { bytesRead } = await this.#handle.read(this.#memory, 0, this.#memory.length, offset);
    this.#window = this.#memory.subarray(0, bytesRead);
    this.#start = offset;
  }
}

import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { sizeOf } from '#server/platform/files/missing.ts';
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

/** Where the bytes of an image come from that isn't in memory as a whole. */
interface ByteSource {
  /** The bytes from `offset`: at least `length`, unless the file ends before. The view is valid until the next call. */
  view(offset: number, length: number): Promise<Buffer>;
  /** As many bytes from `offset`, or those until the end of the file, in memory of their own. */
  copy(offset: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
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
  readonly #source: ByteSource | undefined;
  #window: Buffer;
  #start = 0;
  #reads = 0;

  private constructor(file: FileContent, content: Buffer | { source: ByteSource; size: number }) {
    this.content = file;
    const { source, size } = Buffer.isBuffer(content) ? { source: undefined, size: content.length } : content;
    this.#source = source;
    this.size = size;
    this.#window = Buffer.isBuffer(content) ? content : Buffer.alloc(0);
  }

  /** @param source its path, its bytes, or a file that may be in memory */
  static async open(source: string | Uint8Array | FileContent): Promise<ImageBytes> {
    if (source instanceof Uint8Array) return ImageBytes.open({ path: '', bytes: source });
    const file = typeof source === 'string' ? { path: source } : source;
    const { path, bytes }: FileContent = file;
    if (bytes) return new ImageBytes(file, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    const handle = await open(path, 'r');
    const size = await sizeOf(handle);
    return new ImageBytes(file, { source: fileSource(handle, Math.min(WINDOW_BYTES, size)), size });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source?.close();
  }

  /** Exactly `length` bytes, at most a window (256 KiB). The view is valid until the next call. */
  async at(offset: number, length: number): Promise<Buffer> {
    if (length > WINDOW_BYTES) throw new RangeError(`A view is at most ${WINDOW_BYTES} bytes, not ${length}.`);
    if (offset < 0 || offset + length > this.size) throw new DamagedImageError();
    if (this.#countRead()) await setImmediate();
    if (offset < this.#start || offset + length > this.#start + this.#window.length) await this.#move(offset, length);
    const from = offset - this.#start;
    if (from + length > this.#window.length) throw new DamagedImageError();
    return this.#window.subarray(from, from + length);
  }

  /** The bytes from `offset` to the end of the window: at least `length` of them, unless the file ends before, and one. The view is valid until the next call. */
  async some(offset: number, length = 1): Promise<Buffer> {
    await this.at(offset, 1);
    const view = this.#window.subarray(offset - this.#start);
    if (view.length >= length || this.#start + this.#window.length >= this.size) return view;
    await this.#move(offset, length);
    return this.#window;
  }

  /** Copies a range into a new buffer. The caller bounds its length. */
  async copy({ from, to }: ByteRange): Promise<Buffer> {
    if (this.#countRead()) await setImmediate();
    const copy = this.#source ? await this.#source.copy(from, Math.max(0, to - from)) : Buffer.from(this.#slice(from, to));
    if (copy.length < to - from) throw new DamagedImageError();
    return copy;
  }

  #slice(from: number, to: number): Buffer {
    if (from < 0 || to > this.size) throw new DamagedImageError();
    return this.#window.subarray(from, Math.max(from, to));
  }

  /** Whether it is time to let others have their turn. A walk through bytes in memory would never give them one. */
  #countRead(): boolean {
    if (++this.#reads > MAX_READS) throw new DamagedImageError('The picture has too many segments.');
    return this.#reads % READS_PER_TURN === 0;
  }

  async #move(offset: number, length: number): Promise<void> {
    if (!this.#source) return; // the window holds everything
    this.#window = await this.#source.view(offset, length);
    this.#start = offset;
  }
}

function fileSource(handle: FileHandle, windowBytes: number): ByteSource {
  const memory = Buffer.allocUnsafe(windowBytes);
  const read = async (into: Buffer, offset: number) => {
    const { bytesRead } = await handle.read(into, 0, into.length, offset);
    return into.subarray(0, bytesRead);
  };
  return {
    view: (offset) => read(memory, offset),
    copy: (offset, length) => read(Buffer.allocUnsafe(length), offset),
    close: () => handle.close(),
  };
}

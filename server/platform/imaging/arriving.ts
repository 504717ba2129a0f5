import type { ByteSource } from './bytes.ts';

/** What the reader may look at again. */
const BEHIND_BYTES = 64;

/**
 * The bytes of a file while it arrives, for one reader that moves forward (decision 157). Everything stays until {@link release}; afterwards, what
 * the reader has passed is gone.
 */
export class ArrivingBytes implements ByteSource {
  readonly #maxHeld: number;
  #held: Buffer = Buffer.alloc(0);
  #start = 0;
  /** Where the reader is. */
  #at = 0;
  #isReleased = false;
  /** Whether the reader is done. */
  isClosed = false;
  #hasEnded = false;
  #resumeReader: (() => void) | undefined;
  #resumeWriter: (() => void) | undefined;

  /** @param maxHeld how much may arrive before {@link release} */
  constructor(maxHeld: number) {
    this.#maxHeld = maxHeld;
  }

  /** All that has arrived, until {@link release}. */
  get held(): Buffer {
    return this.#held;
  }

  /** From here on, what the reader has passed isn't kept. */
  release(): void {
    this.#isReleased = true;
  }

  /** Resolves once the reader needs more, or is done. Then the array may be used again. */
  async push(bytes: Buffer): Promise<void> {
    if (this.isClosed) return;
    this.#held = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes;
    await this.#read();
    const from = this.#isReleased ? Math.min(Math.max(this.#at - BEHIND_BYTES - this.#start, 0), this.#held.length) : 0;
    this.#start += from;
    this.#held = Buffer.from(this.#held.subarray(from));
  }

  /** Resolves once the reader is done. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    if (!this.isClosed) await this.#read();
  }

  #read(): Promise<void> {
    return new Promise((resolve) => {
      this.#resumeWriter = resolve;
      this.#resumeReader?.();
      this.#resumeReader = undefined;
    });
  }

  /** @throws RangeError for bytes that are gone, or too far behind the beginning */
  async view(offset: number, length: number): Promise<Buffer> {
    this.#at = offset;
    while (offset + length > this.#start + this.#held.length && !this.#hasEnded) {
      if (!this.#isReleased && this.#held.length > this.#maxHeld) throw new RangeError('what comes first is too long');
      await new Promise<void>((resolve) => {
        this.#resumeReader = resolve;
        this.#resumeWriter?.();
        this.#resumeWriter = undefined;
      });
    }
    if (offset < this.#start) throw new RangeError('these bytes are gone');
    return this.#held.subarray(offset - this.#start);
  }

  async copy(offset: number, length: number): Promise<Buffer> {
    return Buffer.from((await this.view(offset, length)).subarray(0, length));
  }

  /** The reader is done. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.#resumeWriter?.();
  }
}

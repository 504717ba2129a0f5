const MAX_CODE_BITS = 12;

/** Follows the compressed pixels of a picture in a GIF (GIF89a specification, appendix F), only to find out where they end. */
export class LzwWalk {
  readonly #clear: number;
  readonly #pixels: number;
  /** How many pixels each code stands for. */
  readonly #lengths = new Uint32Array(2 ** MAX_CODE_BITS);
  #bits = 0;
  #count = 0;
  #size: number;
  #next: number;
  #last = -1;
  #found = 0;
  #isFaulty: boolean;

  /** @param depth the bits of an uncompressed pixel */
  constructor(depth: number, pixels: number) {
    this.#clear = 2 ** depth;
    this.#pixels = pixels;
    this.#isFaulty = depth < 2 || depth >= MAX_CODE_BITS;
    this.#size = depth + 1;
    this.#next = this.#clear + 2;
    if (!this.#isFaulty) this.#lengths.fill(1, 0, this.#clear);
  }

  /** Whether all pixels have been there. */
  get isFull(): boolean {
    return !this.#isFaulty && this.#found >= this.#pixels;
  }

  /**
   * Takes the bytes of the next block.
   * @returns how many of them belong to the data, if it has ended: with its code for the end, or with the last pixel where another code follows. Undefined as
   * long as it hasn't, and where it is faulty
   */
  take(bytes: Uint8Array, from: number, to: number): number | undefined {
    let end = from;
    for (let at = from; at < to && !this.#isFaulty; at++) {
      this.#bits |= (bytes[at] as number) << this.#count;
      this.#count += 8;
      while (this.#count >= this.#size && !this.#isFaulty) {
        const code = this.#bits & ((1 << this.#size) - 1);
        this.#bits >>>= this.#size;
        this.#count -= this.#size;
        if (code === this.#clear + 1) return at + 1 - from;
        if (this.isFull && code !== this.#clear) return end - from;
        this.#isFaulty = !this.#follow(code);
        end = at + 1;
      }
    }
    return undefined;
  }

  #follow(code: number): boolean {
    if (code === this.#clear) {
      this.#size = Math.log2(this.#clear) + 1;
      this.#next = this.#clear + 2;
      this.#last = -1;
      return true;
    }
    if (code > this.#clear && (this.#last < 0 || code > this.#next)) return false;
    if (this.#last >= 0 && this.#next < 2 ** MAX_CODE_BITS) {
      this.#lengths[this.#next++] = (this.#lengths[this.#last] as number) + 1;
      if (this.#next === 2 ** this.#size && this.#size < MAX_CODE_BITS) this.#size++;
    }
    this.#last = code;
    this.#found += this.#lengths[code] as number;
    return true;
  }
}

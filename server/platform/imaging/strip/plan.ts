import type { ByteRange } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import type { JpegFacts } from '../jpeg-check.ts';

/** A piece of the cleaned file: copied from the original, given here, or a number of zeros. */
export type Piece = ByteRange | { readonly bytes: Uint8Array } | { readonly zeros: number };

/** The pieces of the cleaned file, and the range of the EXIF. */
export interface StripPlan {
  readonly pieces: readonly Piece[];
  /** The range of the (first) EXIF block's TIFF structure in the original. */
  readonly exif?: ByteRange;
  /** What the segments of a JPEG say, unless only a decoder can tell whether it can be shown. */
  readonly jpeg?: JpegFacts;
}

/** Far more than any real image needs; a file with more pieces is hostile. */
const MAX_PIECES = 20_000;

/** Collects pieces in order and joins adjacent ranges of the original. */
export class PlanBuilder {
  readonly #pieces: Piece[] = [];
  exif: ByteRange | undefined;
  jpeg: JpegFacts | undefined;

  keep(from: number, to: number): void {
    const last = this.#pieces.at(-1);
    if (last && 'to' in last && last.to === from) this.#pieces[this.#pieces.length - 1] = { from: last.from, to };
    else if (to > from) this.#push({ from, to });
  }

  insert(bytes: Uint8Array): void {
    this.#push({ bytes });
  }

  zeros(count: number): void {
    if (count > 0) this.#push({ zeros: count });
  }

  /** Takes over a piece of another plan for the same file. */
  add(piece: Piece): void {
    if ('to' in piece) this.keep(piece.from, piece.to);
    else this.#push(piece);
  }

  finish(): StripPlan {
    return { pieces: this.#pieces, ...(this.exif && { exif: this.exif }), ...(this.jpeg && { jpeg: this.jpeg }) };
  }

  #push(piece: Piece): void {
    if (this.#pieces.length >= MAX_PIECES) throw new DamagedImageError('The picture has too many segments.');
    this.#pieces.push(piece);
  }
}

export function pieceLength(piece: Piece): number {
  if ('bytes' in piece) return piece.bytes.length;
  return 'zeros' in piece ? piece.zeros : piece.to - piece.from;
}

import type { ByteRange } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';

/** A stretch of the cleaned file: copied from the original, given here, or that many zeros. */
export type Piece = ByteRange | { readonly bytes: Uint8Array } | { readonly zeros: number };

/** How the cleaned file is put together, and where the EXIF was. */
export interface StripPlan {
  readonly pieces: readonly Piece[];
  /** Where the TIFF structure of the (first) EXIF block lies in the original. */
  readonly exif?: ByteRange;
}

/** Far more than any real picture needs; a file cut into more is hostile, and would only cost memory. */
const MAX_PIECES = 20_000;

/** Collects pieces in order; neighbouring stretches of the original become one. */
export class PlanBuilder {
  readonly #pieces: Piece[] = [];
  exif: ByteRange | undefined;

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

  finish(): StripPlan {
    return { pieces: this.#pieces, ...(this.exif && { exif: this.exif }) };
  }

  #push(piece: Piece): void {
    if (this.#pieces.length >= MAX_PIECES) throw new DamagedImageError('The picture consists of too many segments.');
    this.#pieces.push(piece);
  }
}

export function pieceLength(piece: Piece): number {
  if ('bytes' in piece) return piece.bytes.length;
  return 'zeros' in piece ? piece.zeros : piece.to - piece.from;
}

import type { ByteRange } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import type { PictureHeader } from '../memory.ts';
import { type Metadata, NO_METADATA } from './exif.ts';
import { combined, MAX_SOURCES, type Rights } from './rights.ts';

/** A piece of the cleaned file: copied from the original, given here, or a number of zeros. */
export type Piece = ByteRange | { readonly bytes: Uint8Array } | { readonly zeros: number };

/** All pixels are there, but the file lacks its end, or says less than it must. */
export class UnfinishedImageError extends DamagedImageError {
  /** The whole file with what it lacks, metadata included. */
  readonly whole: readonly Piece[];

  constructor(whole: readonly Piece[]) {
    super();
    this.whole = whole;
  }
}

/** What one pass through a file yields: its metadata, and the pieces of the cleaned file. */
export interface StripPlan extends Metadata {
  readonly pieces: readonly Piece[];
  /** Whether more is removed than known metadata, in known places: then the result must have the same pixels. */
  readonly isRisky?: boolean;
  /** How the pixels of a JPEG are coded, if not as browsers can show them. */
  readonly unshown?: string;
  /** What the segments of a JPEG say, unless only a decoder can tell whether it can be shown. */
  readonly jpeg?: PictureHeader;
}

/** The rights to write back: given ones, or the picture's own. */
export type KeptRights = Rights | 'own';

/** Far more than any real image needs; a file with more pieces is hostile. */
const MAX_PIECES = 20_000;

/** Collects pieces in order, joining adjacent ranges of the original, and what the metadata says. */
export class PlanBuilder {
  readonly #pieces: (Piece | ((rights: Rights) => readonly Piece[]))[] = [];
  readonly #kept: KeptRights;
  /** Rights outside of EXIF, by source. */
  readonly #sources: Record<'iptc' | 'xmp' | 'texts', Rights[]> = { iptc: [], xmp: [], texts: [] };
  /** What the first EXIF says. */
  exif: Metadata | undefined;

  constructor(kept: KeptRights = {}) {
    this.#kept = kept;
  }

  keep(from: number, to: number): void {
    const last = this.#pieces.at(-1);
    if (last && typeof last !== 'function' && 'to' in last && last.to === from)
      this.#pieces[this.#pieces.length - 1] = { from: last.from, to };
    else if (to > from) this.#push({ from, to });
  }

  insert(bytes: Uint8Array): void {
    this.#push({ bytes });
  }

  zeros(count: number): void {
    if (count > 0) this.#push({ zeros: count });
  }

  /** Adds what `make` returns once everything has been read. */
  insertLater(make: (rights: Rights) => readonly Piece[]): void {
    this.#pieces.push(make);
  }

  /** Notes the rights that the picture names outside of EXIF; they are only read if its own rights stay. */
  async note(source: 'iptc' | 'xmp' | 'texts', read: () => Promise<Rights>): Promise<void> {
    const noted = this.#sources[source];
    if (this.#kept === 'own' && noted.length < MAX_SOURCES) noted.push(await read());
  }

  /** The rights to write back: of the picture's own, each field from EXIF, IPTC, XMP or a PNG's texts, in this order. */
  rights(): Rights {
    if (this.#kept !== 'own') return this.#kept;
    const { iptc, xmp, texts } = this.#sources;
    return combined([this.exif?.rights ?? {}, ...iptc, ...xmp, ...texts]);
  }

  /** Takes over a piece of another plan for the same file. */
  add(piece: Piece): void {
    if ('to' in piece) this.keep(piece.from, piece.to);
    else this.#push(piece);
  }

  finish(): StripPlan {
    const rights = this.rights();
    const whole = new PlanBuilder();
    for (const piece of this.#pieces) {
      if (typeof piece !== 'function') whole.add(piece);
      else for (const made of piece(rights)) whole.add(made);
    }
    return { ...(this.exif ?? NO_METADATA), rights, pieces: whole.#pieces.filter((piece) => typeof piece !== 'function') };
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

/** The size of the cleaned file in bytes. */
export const planLength = ({ pieces }: Pick<StripPlan, 'pieces'>): number => pieces.reduce((sum, piece) => sum + pieceLength(piece), 0);

/** Bytes that drawing an SVG may take: more than any drawing of a permitted length needs. */
export const MAX_SVG_MEMORY = 256 * 1024 * 1024;

/** What a decoder worker is started for. */
export interface DecodeJob {
  readonly kind: 'heic' | 'bmp' | 'svg';
  /** A path, or the file itself. */
  readonly source: string | Uint8Array;
  /** Most pixels, checked once more against what the decoder finds. */
  readonly pixels: number;
  /** For SVG: the longer side that is wanted, in pixels. */
  readonly side?: number;
  /** Colour profile for the result. */
  readonly icc?: Uint8Array;
  /** EXIF orientation that the decoder does not apply. */
  readonly orientation?: number;
}

/** What it answers: the picture as uncompressed TIFF, or what is wrong with it. */
export type DecodeAnswer =
  | { readonly tiff: Uint8Array<ArrayBuffer> }
  | { readonly problem: 'damaged' | 'too_large'; readonly detail: string };

/** Memory for rendering an SVG in bytes: more than any accepted drawing needs. */
export const MAX_SVG_MEMORY = 256 * 1024 * 1024;

/** The task of a decoder worker. */
export interface DecodeJob {
  readonly kind: 'heic' | 'bmp' | 'svg';
  /** The file, which the thread takes over. */
  readonly source: Uint8Array<ArrayBuffer>;
  /** Maximum pixels, checked again against the decoder's result. */
  readonly pixels: number;
  /** For SVG: the length of the longer side in pixels. */
  readonly side?: number;
  /** For SVG: keeps what is transparent, and enlarges a smaller drawing. */
  readonly isEmblem?: boolean;
  /** Colour profile for the result. */
  readonly icc?: Uint8Array;
  /** EXIF orientation, which the decoder doesn't apply. */
  readonly orientation?: number;
}

/** The worker's result: the image as uncompressed TIFF, or its fault. */
export type DecodeResult =
  | { readonly tiff: Uint8Array<ArrayBuffer> }
  | { readonly problem: 'damaged' | 'too_large'; readonly detail: string };

/** Behind what is transparent in a thumbnail: both black and white logos stand out from it. */
export const THUMBNAIL_GROUND = '#a8adaf';

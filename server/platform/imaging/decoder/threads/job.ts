import type { TileGrid } from '../../heif/grid.ts';

/** Memory for rendering an SVG in bytes: more than any accepted drawing needs. */
export const MAX_SVG_MEMORY = 256 * 1024 * 1024;

/** The task of a decoder worker: a whole picture. */
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
  /** For HEIC: keeps more than 8 bits. */
  readonly isDeep?: boolean;
  /** Colour profile for the result. */
  readonly icc?: Uint8Array;
  /** EXIF orientation, which the decoder doesn't apply. */
  readonly orientation?: number;
  /** libheif as an earlier worker has compiled it. */
  readonly compiled?: object | undefined;
}

/** Tiles of a HEIC, which several workers share. */
export interface TileJob {
  readonly kind: 'tiles';
  /** The file. */
  readonly source: Uint8Array<ArrayBuffer>;
  readonly grid: TileGrid;
  /** One number: that of the tiles that the workers have taken so far. */
  readonly taken: Int32Array<SharedArrayBuffer>;
  /** libheif as an earlier worker has compiled it. */
  readonly compiled?: object | undefined;
}

/** Red, green and blue of a tile's pixel. */
export const TILE_CHANNELS = 3;

/** A tile that a worker has decoded, by its number in the file: its visible part, without padding. */
export interface Tile {
  readonly tile: number;
  readonly pixels: Uint8Array<ArrayBuffer>;
}

/** The worker's fault. */
export interface Problem {
  readonly problem: 'damaged' | 'too_large';
  readonly detail: string;
}

/** The worker's result: the image as uncompressed TIFF, or `done` for tiles. */
export type DecodeResult = ({ readonly tiff: Uint8Array<ArrayBuffer> } | { readonly done: true } | Problem) & {
  /** libheif as it has compiled it. */
  readonly compiled?: object | undefined;
};

/** Behind what is transparent in a thumbnail: both black and white logos stand out from it. */
export const THUMBNAIL_GROUND = '#a8adaf';

/** What the bytes of an upload turned out to be. `png` includes APNG, `heif` is HEIF with other coding than HEVC and AV1. */
export type SniffedFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'heic' | 'heif' | 'bmp' | 'tiff' | 'svg';

/** Formats that are stored and served as they come, with their metadata removed. */
export type WebFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

/** Formats a picture can be encoded in, named by the extension of the link. */
export type ConvertedExt = 'png' | 'jpg' | 'webp' | 'gif' | 'avif';

/** Bounds on what is decoded. What is beyond them is refused from the header, before any pixel is decoded. */
export interface ImageLimits {
  /** Most pixels of one frame. */
  readonly pixels: number;
  /** Longest side in pixels. */
  readonly side: number;
  /** Most frames of an animation. */
  readonly frames: number;
  /** Most pixels of all frames together. */
  readonly totalPixels: number;
  /** Most pixels of a HEIC or BMP picture, which is decoded at a higher price. */
  readonly heicPixels: number;
  /** Most seconds that decoding may take. */
  readonly decodeSeconds: number;
  /** Most bytes that all pictures that are worked on at the same time take together. */
  readonly memory: number;
}

/** What an accepted picture is. */
export interface Probe {
  /** Width in pixels as people see it: with the orientation applied. */
  readonly width: number;
  /** Height in pixels as people see it: with the orientation applied. */
  readonly height: number;
  /** Number of frames, 1 for a still picture. */
  readonly frames: number;
  readonly animated: boolean;
  readonly hasAlpha: boolean;
}

/** Where bytes go: a file, a hash, or both. The array may be reused once the promise has settled. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<void>;
}

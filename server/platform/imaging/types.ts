import type { ExtOf, FormatName, FormatWith } from '#api/formats.ts';
import type { Rights } from './metadata/rights.ts';

/** Detected formats. `png` includes APNG; `heif` is HEIF with a codec other than HEVC or AV1. */
export type SniffedFormat = FormatName;

/** Formats that are stored and served without conversion, with their metadata removed. */
export type WebFormat = Exclude<FormatWith<'shown'>, FormatWith<'drawing' | 'video'>>;

/** Formats that are accepted but never served: they are converted to another one. */
export type ForeignFormat = Exclude<FormatName, FormatWith<'shown' | 'video'>>;

export type VideoFormat = FormatWith<'video'>;

/** Formats that images can be converted to, named by the extension of the link. */
export type ConvertedExt = ExtOf<FormatWith<'written'>>;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Limits of decoding, checked against the header before any pixel is decoded. */
export interface ImageLimits {
  /** Maximum pixels of one frame. */
  readonly pixels: number;
  /** Maximum length of a side in pixels. */
  readonly side: number;
  /** Maximum frames of an animation. */
  readonly frames: number;
  /** Maximum pixels of all frames together. */
  readonly totalPixels: number;
  /** Maximum pixels of a HEIC or BMP image, which costs more to decode. */
  readonly heicPixels: number;
  /** Maximum processor time of decoding in seconds. */
  readonly decodeSeconds: number;
  /** Maximum bytes that all images in progress take together. */
  readonly memory: number;
}

/** Facts about an accepted image. */
export interface Probe {
  /** Width in pixels, with the orientation applied. */
  readonly width: number;
  /** Height in pixels, with the orientation applied. */
  readonly height: number;
  /** Number of frames; 1 for a still image. */
  readonly frames: number;
  readonly animated: boolean;
  readonly hasAlpha: boolean;
}

/** A target for bytes: a file, a hash, or both. The array may be reused once the promise has settled. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<void>;
}

/** Writes a new file. @param fill writes its contents, of so many bytes */
export type WriteFile<File> = (length: number, fill: (sink: ByteSink) => Promise<void>) => Promise<File>;

export interface ConvertOptions {
  readonly to: ConvertedExt;
  /** The format instead where a HEIC turns out to have transparent pixels. */
  readonly ifTransparent?: ConvertedExt | undefined;
  /** Longer side in pixels at most; a smaller picture keeps its size. */
  readonly maxSide?: number;
  /** 1–100, for lossy formats. */
  readonly quality: number;
  /** Keeps EXIF and XMP; the orientation is applied, so its tag goes. */
  readonly keepMetadata?: boolean;
  /** Leaves room for them in an EXIF, unless all metadata is kept. `writeRights` writes them there; a GIF has no EXIF. */
  readonly rights?: Rights;
  readonly limits?: ImageLimits;
}

export interface Converted {
  readonly to: ConvertedExt;
  readonly width: number;
  /** Of one frame. */
  readonly height: number;
  /** Bytes written. */
  readonly size: number;
  readonly animated: boolean;
}

/** What thumbnails are made in. */
export type ThumbnailType = FormatWith<'thumbnail'>;

/** Two small summaries of what an image looks like. */
export interface ImageHashes {
  /** Its ThumbHash as Base64: a placeholder of about 25 bytes. */
  thumbhash: string;
  /** Its perceptual hash, by which alike images are found; empty: there is nothing to compare. */
  phash: string;
}

/** One size of an emblem. */
export interface EmblemVersion {
  /** Of the longer side, in pixels. */
  readonly side: number;
  /** PNGs are squares with the whole picture in them. */
  readonly to: 'webp' | 'png';
  /** A colour behind the picture, which then has a margin. Otherwise, what is transparent stays so. */
  readonly ground?: string;
}

/** What is made from a picture that stands for a site or a user. */
export interface EmblemOptions {
  /** Of the longer side of the largest version, in pixels. */
  readonly side: number;
  /** `square` cuts off what is too much in the middle of the longer side. */
  readonly fit: 'square' | 'inside';
  readonly versions: readonly EmblemVersion[];
}

/** The result. */
export interface Emblem {
  /** As in the options. */
  readonly versions: readonly Uint8Array[];
  /** Size of the largest version, in pixels. */
  readonly width: number;
  readonly height: number;
  /** The pixels of a small copy: red, green, blue and alpha. */
  readonly sample: Uint8Array;
}

/** The languages in which text in pictures is recognised, by Tesseract's names. */
export const TEXT_LANGUAGES = ['eng', 'chi_sim'] as const;
export type TextLanguage = (typeof TEXT_LANGUAGES)[number];

/** Left, top, width and height, in pixels of the upright picture. */
export type TextBox = [x: number, y: number, width: number, height: number];

export interface RecognizedWord {
  /** A word; in Chinese, a phrase or a character. */
  text: string;
  box: TextBox;
}

/** Text in a picture, from top to bottom. */
export interface RecognizedText {
  lines: (RecognizedWord & { words: RecognizedWord[] })[];
}

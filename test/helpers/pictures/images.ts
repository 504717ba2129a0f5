import sharp, { type Exif, type Sharp } from 'sharp';

/** The properties of a generated picture; the defaults are small, so that tests stay fast. */
export interface ImageOptions {
  readonly width?: number;
  readonly height?: number;
  /** Pictures with different seeds differ in their pixels, and so in their hash. */
  readonly seed?: number;
  /** With an alpha channel that fades from left to right. */
  readonly alpha?: boolean;
  /** Without fine detail, so that lossy coding and scaling change almost nothing. */
  readonly smooth?: boolean;
}

export interface PhotoOptions extends ImageOptions {
  /** Adds a camera's metadata: location, serial number, owner, time. */
  readonly gps?: boolean;
  /** EXIF orientation 1–8; the pixels are stored as given, only the tag is set. */
  readonly orientation?: number;
  readonly icc?: 'p3' | 'srgb' | 'cmyk';
  /** EXIF DateTimeOriginal, as in `2024:05:06 07:08:09`. */
  readonly takenAt?: string;
  /** EXIF OffsetTimeOriginal, as in `+02:00`. */
  readonly offset?: string;
  readonly progressive?: boolean;
  readonly quality?: number;
}

/** Words that must be gone after the removal of metadata. */
export const PRIVATE_WORDS = ['SerialNumber-4711', 'Olivia Owner', 'PrivateCamera'] as const;

/** RGB(A) pixels of a smooth picture: compresses like a photo, has no two equal corners, and depends on the seed. */
export function pixels({ width = 320, height = 200, seed = 1, alpha = false, smooth = false }: ImageOptions = {}): Buffer {
  const channels = alpha ? 4 : 3;
  const data = Buffer.alloc(width * height * channels);
  // Far fewer sines than pixels.
  const waves = Float64Array.from(
    { length: width * 3 + height * 5 },
    (_, at) => 127 + 120 * Math.sin((at + seed * 97) / ((smooth ? 12 : 1) * (11 + (seed % 13)))),
  );
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += channels) {
      data[at] = (255 * x) / width;
      data[at + 1] = (255 * y) / height;
      data[at + 2] = waves[x * 3 + y * 5] as number;
      if (alpha) data[at + 3] = (255 * x) / width;
    }
  }
  return data;
}

/** A sharp pipeline on generated pixels, for formats without a function here. */
export function image(options: ImageOptions = {}): Sharp {
  const { width = 320, height = 200, alpha = false } = options;
  return sharp(pixels(options), { raw: { width, height, channels: alpha ? 4 : 3 } });
}

/** A JPEG as a camera or phone writes it. */
export async function photoJpeg(options: PhotoOptions = {}): Promise<Buffer> {
  const { gps, icc, orientation, progressive = false, quality = 85 } = options;
  let result = image(options);
  if (orientation) result = result.withMetadata({ orientation });
  if (icc) result = result.withIccProfile(icc);
  if (gps || options.takenAt) result = result.withExifMerge(cameraExif(options));
  return result.jpeg({ quality, progressive }).toBuffer();
}

/** Lists the last two components of a JPEG's first scan in the opposite order, which libjpeg doesn't read. */
export function withSwappedComponents(file: Buffer): Buffer {
  const at = file.indexOf(Buffer.of(0xff, 0xda)) + 7;
  const second = Buffer.from(file.subarray(at, at + 2));
  file.copyWithin(at, at + 2, at + 4);
  second.copy(file, at + 2);
  return file;
}

export function png(options: ImageOptions = {}): Promise<Buffer> {
  return image(options).png({ compressionLevel: 3, adaptiveFiltering: true }).toBuffer();
}

export function webp(options: ImageOptions = {}): Promise<Buffer> {
  return image(options).webp({ quality: 80, effort: 1 }).toBuffer();
}

export function avif(options: ImageOptions = {}): Promise<Buffer> {
  return image(options).avif({ quality: 50, effort: 0 }).toBuffer();
}

export function tiff(options: ImageOptions = {}): Promise<Buffer> {
  return image(options).tiff({ compression: 'lzw' }).toBuffer();
}

export function gif(options: ImageOptions = {}): Promise<Buffer> {
  return image(options).gif({ effort: 1 }).toBuffer();
}

export interface AnimationOptions extends ImageOptions {
  readonly frames?: number;
  /** Number of repetitions; 0 means endless. */
  readonly loop?: number;
}

export function animatedGif(options: AnimationOptions = {}): Promise<Buffer> {
  return animation(options)
    .gif({ effort: 1, loop: options.loop ?? 0, delay: 100 })
    .toBuffer();
}

export function animatedWebp(options: AnimationOptions = {}): Promise<Buffer> {
  return animation(options)
    .webp({ effort: 1, loop: options.loop ?? 0, delay: 100 })
    .toBuffer();
}

function animation({ width = 64, height = 48, frames = 3, seed = 1, smooth = false }: AnimationOptions): Sharp {
  const pages = Array.from({ length: frames }, (_, i) => pixels({ width, height, seed: seed + i, smooth }));
  return sharp(Buffer.concat(pages), { raw: { width, height: height * frames, channels: 3, pageHeight: height } });
}

function cameraExif({ gps, takenAt = '2024:05:06 07:08:09', offset }: PhotoOptions): Exif {
  const time = { DateTimeOriginal: takenAt, ...(offset && { OffsetTimeOriginal: offset }) };
  if (!gps) return { IFD2: time };
  return {
    IFD0: { Make: PRIVATE_WORDS[2], Artist: PRIVATE_WORDS[1] },
    IFD2: { ...time, BodySerialNumber: PRIVATE_WORDS[0], CameraOwnerName: PRIVATE_WORDS[1] },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 18/1' },
  };
}

import { useEffect, useState } from 'react';
import { readEnvelope } from '#api/client.ts';
import type { Image } from '#api/images/images.ts';
import type { Size } from '#renderer/editor/geometry.ts';
import { originalSrc } from '#renderer/images/address.ts';
import { newCanvas } from './canvas.ts';
import { Covers } from './obscure.ts';

/** The longer side of the copy that is drawn while editing, in pixels. */
const MAX_PREVIEW = 2560;
/** The largest canvas that browsers promise on computers. Phones may have less, which only trying shows. */
const MAX_SIDE = 16_384;
const MAX_PIXELS = 130_000_000;

/** Why a picture can't be edited. */
export type Obstacle = 'svg' | 'animated' | 'tooLarge' | 'unreadable';

/** Thrown where a picture can't be edited, whatever is tried. */
export class NotEditableError extends Error {
  override name = 'NotEditableError';
  readonly obstacle: Obstacle;

  constructor(obstacle: Obstacle) {
    super(obstacle);
    this.obstacle = obstacle;
  }
}

/** A picture to edit, upright. */
export interface Source {
  /** In full, for what is saved. */
  readonly image: HTMLImageElement;
  readonly size: Size;
  /** A copy that is small enough to be drawn many times a second. */
  readonly preview: HTMLCanvasElement;
  /** What covers its regions: the same while it is edited and in what is saved. */
  readonly covers: Covers;
  readonly isTransparent: boolean;
  /** Frees the memory. */
  close(): void;
}

/**
 * Loads the file of a picture.
 * @throws NotEditableError; ApiError and NetworkError if it can't be loaded
 */
export async function loadSource(image: Pick<Image, 'key' | 'ext' | 'sha256'>, signal: AbortSignal): Promise<Source> {
  if (image.ext === 'svg') throw new NotEditableError('svg');
  const response = await fetch(originalSrc(image), { signal });
  if (!response.ok) await readEnvelope(response);
  return openSource(await response.blob());
}

/**
 * Opens the file of a picture.
 * @throws NotEditableError
 */
export async function openSource(blob: Blob): Promise<Source> {
  if (isAnimated(new Uint8Array(await blob.arrayBuffer()))) throw new NotEditableError('animated');
  const url = URL.createObjectURL(blob);
  try {
    return await decode(url);
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
}

async function decode(url: string): Promise<Source> {
  const image = new Image();
  image.src = url;
  // Browsers turn pictures as their EXIF says, even when they are drawn, and report the sides as they are shown.
  await image.decode().catch(() => {
    throw new NotEditableError('unreadable');
  });
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  if (!canHold(size)) throw new NotEditableError('tooLarge');
  const scale = Math.min(1, MAX_PREVIEW / Math.max(size.width, size.height));
  const copy = { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) };
  const { context: pixels } = newCanvas(copy, true);
  pixels.imageSmoothingQuality = 'high';
  pixels.drawImage(image, 0, 0, copy.width, copy.height);
  const { canvas: preview, context } = newCanvas(copy);
  context.drawImage(pixels.canvas, 0, 0);
  const covers = new Covers(pixels, size);
  return { image, size, preview, covers, isTransparent: isTransparent(pixels, copy), close: () => URL.revokeObjectURL(url) };
}

/** Whether a canvas of this size can be drawn on. Browsers report one that is too large only by leaving it empty. */
function canHold({ width, height }: Size): boolean {
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) return false;
  const { canvas, context } = newCanvas({ width, height });
  context.fillRect(width - 1, height - 1, 1, 1);
  const works = context.getImageData(width - 1, height - 1, 1, 1).data[3] === 255;
  canvas.width = 0;
  return works;
}

function isTransparent(pixels: CanvasRenderingContext2D, { width, height }: Size): boolean {
  const { data } = pixels.getImageData(0, 0, width, height);
  for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 255) < 255) return true;
  return false;
}

/** The picture to edit, loaded once; `retry` tries again after an error. */
export function useSource(image: Image) {
  const [source, setSource] = useState<Source>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  // The file that was opened: the picture may be replaced elsewhere in the meantime.
  const [{ key, ext, sha256 }] = useState(image);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again
  useEffect(() => {
    const controller = new AbortController();
    let loaded: Source | undefined;
    loadSource({ key, ext, sha256 }, controller.signal).then(
      (result) => {
        if (controller.signal.aborted) return result.close();
        loaded = result;
        setSource(result);
      },
      (reason: unknown) => {
        if (!controller.signal.aborted) setError(reason);
      },
    );
    return () => {
      controller.abort();
      loaded?.close();
    };
  }, [key, ext, sha256, attempt]);
  const retry = () => {
    setError(undefined);
    setAttempt(attempt + 1);
  };
  return { source, error, retry };
}

/** Whether a file is a picture with several frames, of which an edited one would keep only the first. */
export function isAnimated(bytes: Uint8Array): boolean {
  const text = (at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length));
  if (text(0, 4) === 'GIF8') return hasTwoFrames(bytes);
  // The flags of the extended header.
  if (text(0, 4) === 'RIFF' && text(12, 4) === 'VP8X') return ((bytes[20] ?? 0) & 0x02) !== 0;
  if (text(1, 3) === 'PNG') return hasAnimationControl(bytes);
  // An image sequence names its brand first.
  return text(4, 8) === 'ftypavis';
}

/** Walks the blocks of a GIF up to the second frame. */
function hasTwoFrames(bytes: Uint8Array): boolean {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const afterSubBlocks = (from: number) => {
    let at = from;
    while (bytes[at]) at += 1 + (bytes[at] ?? 0);
    return at + 1;
  };
  let at = 13 + tableBytes(bytes[10] ?? 0);
  for (let frames = 0; at < bytes.length; ) {
    if (bytes[at] === 0x21) at = afterSubBlocks(at + 2);
    else if (bytes[at] === 0x2c) {
      frames += 1;
      if (frames === 2) return true;
      at = afterSubBlocks(at + 10 + tableBytes(bytes[at + 9] ?? 0) + 1);
    } else return false;
  }
  return false;
}

/** An APNG has `acTL` before its pixels. */
function hasAnimationControl(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return false;
}

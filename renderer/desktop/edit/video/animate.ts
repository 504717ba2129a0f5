import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { CanvasSink } from 'mediabunny';
import type { Cut } from './cut.ts';
import type { VideoSource } from './source.ts';

export interface Animation {
  kind: 'gif' | 'webp';
  /** In pixels. */
  width: number;
  /** Frames per second, of which GIF knows those that last hundredths of a second. */
  rate: number;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Takes the frames of an animation. */
interface Writer {
  /** Adds what changes: a part of the picture. `changed`: which points of it differ, by rows. */
  add(frame: ImageData, box: Box, changed: (index: number) => boolean, milliseconds: number): Promise<void>;
  finish(): Uint8Array<ArrayBuffer>;
}

/** Up to this difference of a colour, from 0 to 255, a point hasn't changed: videos are never quite still. */
const STILL = 6;

/** Makes an animation of a part of a video. @throws DOMException `AbortError` */
export async function animate(
  { video, frames, end, size }: VideoSource,
  { from, to }: Pick<Cut, 'from' | 'to'>,
  { kind, width, rate }: Animation,
  { signal, onProgress }: { signal: AbortSignal; onProgress(share: number): void },
): Promise<Uint8Array<ArrayBuffer>> {
  const height = Math.max(1, Math.round((width * size.height) / size.width));
  const start = frames[from]?.time ?? 0;
  const length = (frames[to]?.time ?? end) - start;
  const count = Math.max(1, Math.round(length * rate));
  const times = Array.from({ length: count }, (_, index) => start + (index + 0.5) * (length / count));
  // Where a frame begins, without the sum of rounded lengths drifting away.
  const unit = kind === 'gif' ? 10 : 1;
  const begins = (index: number) => Math.round(((index * length) / count / unit) * 1000) * unit;
  const writer = kind === 'gif' ? gifWriter(width) : webpWriter(width, height);
  const sink = new CanvasSink(video, { width, height, fit: 'fill', poolSize: 1 });
  /** What is shown, as it was before it was encoded. */
  let shown: Uint8ClampedArray | undefined;
  let waiting: { frame: ImageData; box: Box; changed: (index: number) => boolean; since: number } | undefined;
  const flush = async (until: number) => {
    if (waiting) await writer.add(waiting.frame, waiting.box, waiting.changed, Math.max(unit, until - waiting.since));
  };
  let index = 0;
  for await (const wrapped of sink.canvasesAtTimestamps(times)) {
    signal.throwIfAborted();
    const context = wrapped?.canvas.getContext('2d') as OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null;
    if (context) {
      const frame = context.getImageData(0, 0, width, height);
      const found = differences(frame, shown);
      if (found) {
        await flush(begins(index));
        waiting = { frame, ...found, since: begins(index) };
        shown = replaced(frame.data, shown, found.changed);
      }
    }
    index++;
    onProgress(index / count);
    // Drawing the progress, and pressing a button, take turns with the work.
    await new Promise((resolve) => setTimeout(resolve));
  }
  await flush(begins(count));
  return writer.finish();
}

/** The part of a frame that differs from what is shown; undefined: nothing. */
function differences({ data, width, height }: ImageData, shown: Uint8ClampedArray | undefined) {
  if (!shown) return { box: { left: 0, top: 0, width, height }, changed: () => true };
  const changed = (index: number) => {
    const at = index * 4;
    for (let channel = 0; channel < 3; channel++) if (Math.abs((data[at + channel] ?? 0) - (shown[at + channel] ?? 0)) > STILL) return true;
    return false;
  };
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!changed(y * width + x)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  if (right < 0) return undefined;
  // WebP places frames at even points.
  [left, top] = [left & ~1, top & ~1];
  return { box: { left, top, width: right - left + 1, height: bottom - top + 1 }, changed };
}

/** What is shown once the points that have changed are drawn: the others would drift away unseen. */
function replaced(data: Uint8ClampedArray, shown: Uint8ClampedArray | undefined, changed: (index: number) => boolean): Uint8ClampedArray {
  if (!shown) return data;
  const next = new Uint8ClampedArray(shown);
  for (let index = 0; index < data.length / 4; index++) if (changed(index)) next.set(data.subarray(index * 4, index * 4 + 4), index * 4);
  return next;
}

/** The parts of a frame within a box, as a picture of its own. */
function cropped({ data, width }: ImageData, box: Box): ImageData {
  const part = new ImageData(box.width, box.height);
  for (let y = 0; y < box.height; y++) {
    const at = ((box.top + y) * width + box.left) * 4;
    part.data.set(data.subarray(at, at + box.width * 4), y * box.width * 4);
  }
  return part;
}

/** One of a frame's 256 colours stands for what stays. */
const COLOURS = 255;

function gifWriter(width: number): Writer {
  const gif = GIFEncoder();
  return {
    async add(frame, box, changed, milliseconds) {
      const part = cropped(frame, box);
      const stays = (index: number) => !changed((box.top + Math.floor(index / box.width)) * width + box.left + (index % box.width));
      const points = new Uint32Array(part.data.buffer).filter((_, index) => !stays(index));
      // From 4,096 colours at most, which takes a tenth of the time: each is the mean of those that it stands for.
      const palette = quantize(new Uint8ClampedArray(points.buffer), COLOURS, { format: 'rgb444' });
      const indexed = applyPalette(part.data, palette);
      const transparentIndex = palette.length;
      for (let index = 0; index < indexed.length; index++) if (stays(index)) indexed[index] = transparentIndex;
      palette.push([0, 0, 0]);
      const before = gif.bytesView().length;
      gif.writeFrame(indexed, box.width, box.height, { palette, delay: milliseconds, transparent: true, transparentIndex, dispose: 1 });
      // The package places all frames in the corner: the position stands behind the eight bytes that say how long a frame is shown.
      const bytes = gif.bytesView();
      if (before > 0) new DataView(bytes.buffer, bytes.byteOffset + before + 9).setUint32(0, box.left | (box.top << 16), true);
    },
    finish() {
      gif.finish();
      return gif.bytes();
    },
  };
}

/** From 0 to 1. */
const WEBP_QUALITY = 0.8;

function webpWriter(width: number, height: number): Writer {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  return {
    async add(frame, box, _changed, milliseconds) {
      const canvas = new OffscreenCanvas(box.width, box.height);
      canvas.getContext('2d', { alpha: false })?.putImageData(cropped(frame, box), 0, 0);
      const picture = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: WEBP_QUALITY })).arrayBuffer());
      const head = [box.left / 2, box.top / 2, box.width - 1, box.height - 1, milliseconds].flatMap(threeBytes);
      // It replaces what was there, and stays.
      parts.push(chunk('ANMF', new Uint8Array([...head, 0b10]), pixelsOf(picture)));
    },
    finish() {
      const canvas = chunk('VP8X', new Uint8Array([0b10, 0, 0, 0, ...threeBytes(width - 1), ...threeBytes(height - 1)]));
      // Repeated forever.
      const all = [new TextEncoder().encode('WEBP'), canvas, chunk('ANIM', new Uint8Array(6)), ...parts];
      return chunk('RIFF', ...all);
    },
  };
}

/** The chunk of a WebP file with its picture: Chromium writes others, such as a profile of colours. */
function pixelsOf(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset);
  const nameAt = (at: number) => new TextDecoder().decode(file.subarray(at, at + 4));
  let at = 12;
  while (at + 8 <= file.length && !/^VP8[ L]$/.test(nameAt(at)))
    at += 8 + view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) % 2);
  return file.subarray(at);
}

const threeBytes = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255];

/** A chunk of a RIFF file, which ends at an even byte. */
function chunk(name: string, ...content: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(8 + length + (length % 2));
  bytes.set(new TextEncoder().encode(name));
  new DataView(bytes.buffer).setUint32(4, length, true);
  let at = 8;
  for (const part of content) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

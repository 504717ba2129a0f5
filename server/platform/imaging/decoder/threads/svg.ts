import { readFile } from 'node:fs/promises';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { ImageTooLargeError } from '../../errors.ts';
import { type DecodeJob, MAX_SVG_MEMORY, THUMBNAIL_GROUND } from './job.ts';
import { allocateTiff } from './tiff.ts';
import { programUrl } from './wasm.ts';
import { withMemoryLimit } from './wasm-memory.ts';

/** Pages of 64 KiB. */
const MAX_MEMORY_PAGES = MAX_SVG_MEMORY / 65_536;

/**
 * Renders an SVG into an uncompressed TIFF, on grey except for emblems. resvg runs no scripts and cannot reach files, the network or fonts:
 * WebAssembly can use only what it is given, and it is given nothing.
 */
export async function drawSvg(file: Uint8Array, { side = 0, pixels, isEmblem = false }: DecodeJob): Promise<Uint8Array<ArrayBuffer>> {
  await initWasm(withMemoryLimit(await readFile(programUrl('resvg')), MAX_MEMORY_PAGES));
  try {
    const drawn = draw(file, { side, limit: pixels, isEmblem });
    return isEmblem ? toTransparentTiff(drawn) : toTiff(drawn);
  } catch (error) {
    // Rust traps when it runs out of memory or stack.
    if (error instanceof Error && /^(RuntimeError|RangeError)$/.test(error.name))
      throw new ImageTooLargeError(error.message, { cause: error });
    throw error;
  }
}

type Drawn = ReturnType<InstanceType<typeof Resvg>['render']>;

function draw(file: Uint8Array, { side, limit, isEmblem }: { side: number; limit: number; isEmblem: boolean }): Drawn {
  const { width, height } = new Resvg(file);
  const scale = side / Math.max(width, height);
  // Too thin for that size: resvg rejects anything less than a pixel wide, so the caller must scale it down.
  const isThin = Math.min(width, height) * scale < 1;
  if (isThin && width * height > limit) throw new ImageTooLargeError('The drawing has too many pixels.');
  const mode = width >= height ? 'width' : 'height';
  const fitTo = (scale >= 1 && !isEmblem) || isThin ? ({ mode: 'original' } as const) : ({ mode, value: side } as const);
  return new Resvg(file, { ...(!isEmblem && { background: THUMBNAIL_GROUND }), fitTo }).render();
}

/** On a ground nothing is transparent, so alpha is left out. */
function toTiff({ width, height, pixels: rgba }: Drawn): Uint8Array<ArrayBuffer> {
  const { tiff, pixels } = allocateTiff({ width, height, channels: 3 });
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    pixels[to] = rgba[from] as number;
    pixels[to + 1] = rgba[from + 1] as number;
    pixels[to + 2] = rgba[from + 2] as number;
  }
  return tiff;
}

/** resvg's colours are multiplied by their alpha. */
function toTransparentTiff({ width, height, pixels: rgba }: Drawn): Uint8Array<ArrayBuffer> {
  const { tiff, pixels } = allocateTiff({ width, height, channels: 4 });
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] as number;
    for (let channel = at; channel < at + 3; channel++) pixels[channel] = alpha && Math.round(((rgba[channel] as number) * 255) / alpha);
    pixels[at + 3] = alpha;
  }
  return tiff;
}

import { parentPort, workerData } from 'node:worker_threads';
import { ImageTooLargeError } from '../../errors.ts';
import { decodeBmp } from './bmp.ts';
import { decodeHeic, decodeTiles } from './heic.ts';
import { compiledHeif } from './heif-program.ts';
import type { DecodeJob, DecodeResult, TileJob } from './job.ts';
import { drawSvg } from './svg.ts';

const DECODERS = { heic: decodeHeic, bmp: decodeBmp, svg: drawSvg };

/** A thread for one image: it decodes, posts the result and ends. Its parent may terminate it earlier. */
async function work(job: DecodeJob | TileJob): Promise<DecodeResult> {
  try {
    if (job.kind !== 'tiles') return { tiff: await DECODERS[job.kind](job.source, job) };
    decodeTiles(job, (tile) => parentPort?.postMessage(tile, [tile.pixels.buffer]));
    return { done: true };
  } catch (error) {
    // Everything that a decoder throws, even an abort of WebAssembly, comes from its input.
    const isTooLarge = error instanceof ImageTooLargeError || /memory/i.test(String(error));
    return { problem: isTooLarge ? 'too_large' : 'damaged', detail: String(error) };
  }
}

const result = await work(workerData as DecodeJob | TileJob);
parentPort?.postMessage({ ...result, compiled: compiledHeif() }, 'tiff' in result ? [result.tiff.buffer] : []);

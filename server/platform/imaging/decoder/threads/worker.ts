import { parentPort, workerData } from 'node:worker_threads';
import { ImageTooLargeError } from '../../errors.ts';
import { decodeBmp } from './bmp.ts';
import { decodeHeic } from './heic.ts';
import type { DecodeJob, DecodeResult } from './job.ts';
import { drawSvg } from './svg.ts';

const DECODERS = { heic: decodeHeic, bmp: decodeBmp, svg: drawSvg };

/** A thread for one image: it decodes, posts the result and ends. Its parent may terminate it earlier. */
async function work(job: DecodeJob): Promise<DecodeResult> {
  try {
    return { tiff: await DECODERS[job.kind](job.source, job) };
  } catch (error) {
    // Everything that a decoder throws, even an abort of WebAssembly, comes from its input.
    const isTooLarge = error instanceof ImageTooLargeError || /memory/i.test(String(error));
    return { problem: isTooLarge ? 'too_large' : 'damaged', detail: String(error) };
  }
}

const result = await work(workerData as DecodeJob);
parentPort?.postMessage(result, 'tiff' in result ? [result.tiff.buffer] : []);

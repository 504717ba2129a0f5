import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DamagedImageError, ImageTooLargeError } from '../errors.ts';
import type { DecodeAnswer, DecodeJob } from './job.ts';

/** JavaScript heap of a worker in MiB. Pixels are outside it. */
const WORKER_HEAP_MIB = 256;

/** The worker's file: the source, or a file beside the service in the bundle, whose files are all one folder deep. */
export function decoderWorkerUrl(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? './worker.ts' : '../server/decoder-worker.js', here);
}

export interface DecodeOptions {
  /** Seconds after which the thread is terminated. */
  readonly seconds: number;
  /** For tests: another worker. */
  readonly workerUrl?: URL;
}

/**
 * Decodes in a separate thread, so that a decoder's time, memory and crashes don't reach the service.
 * Returns the image as uncompressed TIFF.
 *
 * @throws DamagedImageError, ImageTooLargeError; anything else is a fault of this build.
 */
export async function decodeInWorker(
  job: DecodeJob,
  { seconds, workerUrl = decoderWorkerUrl() }: DecodeOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const worker = new Worker(workerUrl, {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MIB },
    stdout: true,
    stderr: true,
  });
  try {
    const result = await firstAnswer(worker, seconds);
    if ('tiff' in result) return result.tiff;
    const cause = new Error(result.detail);
    if (result.problem === 'damaged') throw new DamagedImageError(undefined, { cause });
    throw new ImageTooLargeError('The picture takes too much memory to decode. Make it smaller and try again.', { cause });
  } finally {
    await worker.terminate();
  }
}

async function firstAnswer(worker: Worker, seconds: number): Promise<DecodeAnswer> {
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    // `once` also rejects with the worker's own error event.
    const [result] = await once(worker, 'message', { signal });
    return result as DecodeAnswer;
  } catch (error) {
    if (signal.aborted)
      throw new ImageTooLargeError('The picture takes too long to decode. Make it smaller and try again.', { cause: error });
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new ImageTooLargeError('The picture takes too much memory to decode. Make it smaller and try again.', { cause: error });
    }
    throw error;
  }
}

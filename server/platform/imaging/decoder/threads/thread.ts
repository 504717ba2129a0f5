import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DamagedImageError, ImageTooLargeError } from '../../errors.ts';
import { DEFAULT_IMAGE_LIMITS } from '../../limits.ts';
import { HEIC_SAMPLE } from './heic-sample.ts';
import type { DecodeJob, DecodeResult } from './job.ts';

/** JavaScript heap of a worker in MiB. Pixels are outside it. */
const WORKER_HEAP_MIB = 256;

/** The worker's file: the source, or a file beside the service in the bundle, whose files are all one folder deep. */
function decoderWorkerUrl(): URL {
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
 * Decodes in a separate thread, which can be terminated and whose JavaScript has a limited heap.
 * Returns the image as uncompressed TIFF.
 *
 * @throws DamagedImageError, ImageTooLargeError; anything else is a fault of this build.
 */
export async function decodeInThread(
  job: DecodeJob,
  { seconds, workerUrl = decoderWorkerUrl() }: DecodeOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const worker = new Worker(workerUrl, {
    workerData: job,
    transferList: [job.source.buffer],
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MIB },
    stdout: true,
    stderr: true,
  });
  try {
    const result = await firstResult(worker, seconds);
    if ('tiff' in result) return result.tiff;
    const cause = new Error(result.detail);
    if (result.problem === 'damaged') throw new DamagedImageError(undefined, { cause });
    throw new ImageTooLargeError('The picture takes too much memory to decode. Make it smaller and try again.', { cause });
  } finally {
    await worker.terminate();
  }
}

async function firstResult(worker: Worker, seconds: number): Promise<DecodeResult> {
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    // `once` also rejects with the worker's own error event.
    const [result] = await once(worker, 'message', { signal });
    return result as DecodeResult;
  } catch (error) {
    if (signal.aborted)
      throw new ImageTooLargeError('The picture takes too long to decode. Make it smaller and try again.', { cause: error });
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new ImageTooLargeError('The picture takes too much memory to decode. Make it smaller and try again.', { cause: error });
    }
    throw error;
  }
}

/** A drawing that takes longer is unusable on a page, too. */
const DRAW_SECONDS = 10;

/**
 * Renders an SVG on grey with a longer side of about `side` pixels, never above its own size, into an uncompressed TIFF.
 * @param isEmblem keeps what is transparent, and enlarges a smaller drawing
 */
export function drawInThread(picture: Uint8Array<ArrayBuffer>, side: number, isEmblem = false): Promise<Uint8Array<ArrayBuffer>> {
  const job: DecodeJob = { kind: 'svg', source: picture, pixels: DEFAULT_IMAGE_LIMITS.heicPixels, side, isEmblem };
  return decodeInThread(job, { seconds: DRAW_SECONDS });
}

/** Tries a tiny picture to find out whether this build decodes HEIC. */
export async function decodesHeic(options?: Partial<DecodeOptions>): Promise<boolean> {
  try {
    const tiff = await decodeInThread(
      { kind: 'heic', source: new Uint8Array(HEIC_SAMPLE), pixels: 1_000_000 },
      { seconds: 10, ...options },
    );
    return tiff.length > 0;
  } catch {
    // For any reason: HEIC uploads are then rejected with `heic_unsupported`.
    return false;
  }
}

import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DamagedImageError, ImageTooLargeError } from '../../errors.ts';
import { DEFAULT_IMAGE_LIMITS } from '../../limits.ts';
import type { DecodeJob, DecodeResult, Problem, Tile, TileJob } from './job.ts';

/** JavaScript heap of a worker in MiB. Pixels are outside it. */
const WORKER_HEAP_MIB = 256;

/** The worker's file: the source, or a file beside the service in the bundle, whose files are all one folder deep. */
function decoderWorkerUrl(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? './worker.ts' : '../server/decoder-worker.js', here);
}

export interface DecodeOptions {
  /** For tests: another worker. */
  readonly workerUrl?: URL;
}

/**
 * Decodes in a separate thread, whose JavaScript has a limited heap. Its process is killed when it takes too much time.
 * Returns the image as uncompressed TIFF.
 *
 * @throws DamagedImageError, ImageTooLargeError; anything else is a fault of this build.
 */
export async function decodeInThread(job: DecodeJob, options: DecodeOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const result = await runInThread(job, options, [job.source.buffer]);
  if ('problem' in result) throw faultOf(result);
  if ('tiff' in result) return result.tiff;
  throw new TypeError('The worker has decoded tiles.');
}

/** Decodes tiles in a separate thread. @param take called with each of them @throws like `decodeInThread` */
export async function decodeTilesInThread(job: TileJob, options: DecodeOptions, take: (tile: Tile) => void): Promise<void> {
  // A copy that goes with the thread; one that is part of its message would stay until it is collected.
  const source = new Uint8Array(job.source);
  const result = await runInThread({ ...job, source }, { ...options, take }, [source.buffer]);
  if ('problem' in result) throw faultOf(result);
}

function faultOf({ problem, detail }: Problem): Error {
  const cause = new Error(detail);
  if (problem === 'damaged') return new DamagedImageError(undefined, { cause });
  return new ImageTooLargeError('The picture takes too much memory to decode. Make it smaller and try again.', { cause });
}

/** libheif, whose compilation costs as much as that of a megapixel or two. The threads that use it end. */
let compiledHeif: object | undefined;

async function runInThread(
  job: DecodeJob | TileJob,
  { workerUrl = decoderWorkerUrl(), take }: DecodeOptions & { take?: (tile: Tile) => void },
  transferList: ArrayBuffer[] = [],
): Promise<DecodeResult> {
  const worker = new Worker(workerUrl, {
    workerData: job.kind === 'heic' || job.kind === 'tiles' ? { ...job, compiled: compiledHeif } : job,
    transferList,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MIB },
    stdout: true,
    stderr: true,
  });
  const result = await resultOf(worker, take);
  compiledHeif ??= result.compiled;
  return result;
}

/** Resolves when the thread has ended, and its memory is free. It is never terminated: V8 may be compiling what other threads share (decision 156). */
async function resultOf(worker: Worker, take?: (tile: Tile) => void): Promise<DecodeResult> {
  let result: DecodeResult | undefined;
  try {
    // `on` also rejects with the worker's own error event.
    for await (const [message] of on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[Tile | DecodeResult]>) {
      if ('tile' in message) take?.(message);
      else result = message;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new ImageTooLargeError('The picture takes too much memory to decode. Make it smaller and try again.', { cause: error });
    }
    throw error;
  }
  if (!result) throw new Error('The worker has ended without a result.');
  return result;
}

/**
 * Renders an SVG on grey with a longer side of about `side` pixels, never above its own size, into an uncompressed TIFF.
 * @param isEmblem keeps what is transparent, and enlarges a smaller drawing
 */
export function drawInThread(picture: Uint8Array<ArrayBuffer>, side: number, isEmblem = false): Promise<Uint8Array<ArrayBuffer>> {
  const job: DecodeJob = { kind: 'svg', source: picture, pixels: DEFAULT_IMAGE_LIMITS.heicPixels, side, isEmblem };
  return decodeInThread(job);
}

/** Tries a tiny picture to find out whether this build decodes HEIC. */
export async function decodesHeic(options?: DecodeOptions): Promise<boolean> {
  try {
    const tiff = await decodeInThread({ kind: 'heic', source: new Uint8Array(HEIC_SAMPLE), pixels: 1_000_000 }, options);
    return tiff.length > 0;
  } catch {
    // For any reason: HEIC uploads are then rejected with `heic_unsupported`.
    return false;
  }
}

/** A picture of 320 × 200 pixels in 971 bytes, made to find out whether the decoder works. */
const HEIC_SAMPLE: Uint8Array = Buffer.from(
  [
    'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAyxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAA',
    'Imlsb2MAAAAAREAAAQABAAAAAANQAAEAAAAAAAAAewAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAACrGlwcnAAAAKNaXBjbwAAAHVodmND',
    'AQNwAAAAAAAAAAAAPPAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAPLoCQCEAAQAoQgEBA3AAAAMAkAAAAwAAAwA8oAoIDJZbqSSmubAgAAAD',
    'ACAAAAMAISIAAQAHRAHBcrBiQAAAABRpc3BlAAAAAAAAAUAAAADIAAAB7GNvbHJwcm9mAAAB4GxjbXMEIAAAbW50clJHQiBYWVogB+IAAwAUAAkADgAdYWNz',
    'cE1TRlQAAAAAc2F3c2N0cmwAAAAAAAAAAAAAAAAAAPbWAAEAAAAA0y1oYW5kguKocouKP/clPrmS7iTWrgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'AAAKZGVzYwAAAPwAAAAkY3BydAAAASAAAAAid3RwdAAAAUQAAAAUY2hhZAAAAVgAAAAsclhZWgAAAYQAAAAUZ1hZWgAAAZgAAAAUYlhZWgAAAawAAAAUclRS',
    'QwAAAcAAAAAgZ1RSQwAAAcAAAAAgYlRSQwAAAcAAAAAgbWx1YwAAAAAAAAABAAAADGVuVVMAAAAIAAAAHABzAFAAMwBDbWx1YwAAAAAAAAABAAAADGVuVVMA',
    'AAAGAAAAHABDAEMAMAAAWFlaIAAAAAAAAPbWAAEAAAAA0y1zZjMyAAAAAAABDEIAAAXe///zJQAAB5MAAP2Q///7of///k4AAAOaAADAFFhZWiAAAAAAAACD',
    '3wAAPb8AAAAAWFlaIAAAAAAAAEq/AACxNwAACrVYWVogAAAAAAAAKDgAABEKAADIeHBhcmEAAAAAAAMAAAACZmkAAPKnAAANWQAAE9AAAApbAAAAEHBpeGkA',
    'AAAAAwgICAAAABdpcG1hAAAAAAAAAAEAAQSBAoOEAAAAg21kYXQAAAB3KAGvBrIaZRGAY7Dc/6NS///5x7+h/mEMn/iI2gQxBYysnotvKCbwAAADAAADAMqA',
    'Gu3lBWwAAAMAAAMAAAMAAAMAAAmoAAADAO4AAAMAAAMAAAMAAA8YXuO2tnKMcLAAAAMAAAMAAAMAAAMAAAMAAAMAAAMACFg=',
  ].join(''),
  'base64',
);

import { stat } from 'node:fs/promises';
import { decoders } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { checkLimits } from './probe.ts';
import type { VideoFormat } from './types.ts';

/** What a decoder takes while it copies a video: blocks of it, and the table of its samples. */
const REMUX_BYTES = 60_000_000;
/** Of processor time; 500 MiB take about three. */
const REMUX_SECONDS = 60;

/**
 * Writes a video into a new container, without metadata and further tracks, with its index at the start and its samples unchanged.
 * @param maxSeconds the longest video; 0: any
 * @throws ImageError
 */
export async function remuxVideo(path: string, output: string, format: VideoFormat, maxSeconds: number, decoding: Decoding) {
  const { size } = await stat(path);
  const options = { size, isWebm: format === 'webm', maxSeconds };
  const work = () => decoders.run('remux', options, REMUX_SECONDS, { input: path, output, inParts: true });
  const video = await decoding(REMUX_BYTES, work, Number.POSITIVE_INFINITY);
  checkLimits({ width: video.width, height: video.height, frames: 1 }, DEFAULT_IMAGE_LIMITS);
  return video;
}

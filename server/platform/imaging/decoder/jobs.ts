import { readSvgSize } from '../svg-header.ts';
import { convert, convertForeign } from './sharp/convert.ts';
import { readHeader } from './sharp/header.ts';
import { sharp } from './sharp/sharp.ts';
import { makeThumbnail, thumbHashOf } from './sharp/thumbnail.ts';
import { decodeForTrial, hashPixels } from './sharp/trial.ts';
import { decodesHeic, drawInThread } from './threads/thread.ts';

/** Everything that a decoder process does. Options and results are messages: pictures are named by their path. */
export const JOBS = {
  header: readHeader,
  trial: decodeForTrial,
  pixels: hashPixels,
  convert,
  convertForeign,
  thumbnail: makeThumbnail,
  thumbHash: thumbHashOf,
  svgSize: readSvgSize,
  /** Draws an SVG, and discards the result. */
  drawing: async ({ input, side }: { input: string; side: number }) => void (await drawInThread(input, side)),
  decodesHeic: async (_options: object) => decodesHeic(),
  versions: async (_options: object) => ({ sharp: sharp.versions.sharp, vips: sharp.versions.vips }),
};

export type Jobs = typeof JOBS;

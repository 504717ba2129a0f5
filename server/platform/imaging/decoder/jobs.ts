import { convert, convertForeign } from './convert.ts';
import { readHeader } from './header.ts';
import { sharp } from './sharp.ts';
import { decodesHeic, drawInThread } from './thread.ts';
import { makeThumbnail, thumbHashOf } from './thumbnail.ts';
import { decodeForTrial } from './trial.ts';

/** Everything that a decoder process does. Options and results are messages: pictures are named by their path. */
export const JOBS = {
  header: readHeader,
  trial: decodeForTrial,
  convert,
  convertForeign,
  thumbnail: makeThumbnail,
  thumbHash: thumbHashOf,
  /** Draws an SVG, and discards the result. */
  drawing: async ({ input, side }: { input: string; side: number }) => void (await drawInThread(input, side)),
  decodesHeic: async (_options: object) => decodesHeic(),
  versions: async (_options: object) => ({ sharp: sharp.versions.sharp, vips: sharp.versions.vips }),
};

export type Jobs = typeof JOBS;

import { readSvgSize } from '../svg/header.ts';
import type { Files } from './files.ts';
import { convert, convertForeign } from './sharp/convert.ts';
import { makeEmblem } from './sharp/emblem.ts';
import { sharp } from './sharp/sharp.ts';
import { hashesOf, makeThumbnail } from './sharp/thumbnail.ts';
import { decodeForTrial, hashPixels, readHeader } from './sharp/trial.ts';
import { prepareForText } from './text/prepare.ts';
import { recognize } from './text/recognize.ts';
import { decodesHeic, drawInThread } from './threads/thread.ts';
import type { RemuxOptions } from './video/remux.ts';

/** Everything that a decoder process does. Options and results are messages. */
export const JOBS = {
  header: readHeader,
  trial: decodeForTrial,
  pixels: hashPixels,
  convert,
  convertForeign,
  thumbnail: makeThumbnail,
  hashes: hashesOf,
  emblem: makeEmblem,
  prepareForText,
  recognize,
  svgSize: async (_options: object, { picture }: Files) => readSvgSize(picture),
  /** Loaded here, since most processes never get a video. */
  remux: async (options: RemuxOptions, files: Files) => (await import('./video/remux.ts')).remux(options, files),
  /** Draws an SVG, and discards the result. */
  drawing: async ({ side }: { side: number }, { picture }: Files) => void (await drawInThread(picture, side)),
  decodesHeic: async (_options: object) => decodesHeic(),
  versions: async (_options: object) => ({ sharp: sharp.versions.sharp, vips: sharp.versions.vips }),
};

export type Jobs = typeof JOBS;

import pLimit from 'p-limit';
import { scaleText } from './decoder/text/lines.ts';
import { recognizers } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { decodingNeeds } from './thumbnail.ts';
import type { ImageLimits, RecognizedText, TextLanguage } from './types.ts';

/** Pixels in which text is looked for: a screen of 4K, or 16,000 rows of a long page. Larger pictures are scaled down. */
const MAX_PIXELS = 16_000_000;
/** Processor time for one picture; what was read by then is its text. */
const SECONDS = 40;
/** The same until the process is given up, which only one that hangs reaches. It has a low priority, and may wait for the processor four times as long. */
const DEADLINE_SECONDS = 150;

export interface RecognizeOptions {
  /** At least one. */
  readonly languages: readonly TextLanguage[];
  readonly limits?: ImageLimits;
  /** Ends the process at once. */
  readonly signal?: AbortSignal;
}

/** A picture that waited for the process once it had its turn to decode would keep that from others. */
const oneAtATime = pLimit(1);

/**
 * Recognises the text in a stored picture, of any format that thumbnails are made of, in a process of its own, one picture at a time.
 * Only preparing the picture waits for its turn to decode.
 *
 * @throws ImageError for a fault of the picture
 * @throws BusyError when the system can't start a process, or has ended it
 * @throws the reason of the signal
 */
export function recognizeText(input: string, options: RecognizeOptions, decoding: Decoding): Promise<RecognizedText> {
  return oneAtATime(() => recognizeOne(input, options, decoding));
}

async function recognizeOne(
  input: string,
  { languages, limits = DEFAULT_IMAGE_LIMITS, signal }: RecognizeOptions,
  decoding: Decoding,
): Promise<RecognizedText> {
  signal?.throwIfAborted();
  const { format, bytes, pixels } = await decoding.reading(() => decodingNeeds(input, limits));
  const preparation = { format, limits, pixels: MAX_PIXELS };
  const prepare = () => recognizers.run('prepareForText', preparation, limits.decodeSeconds, { input, signal });
  const prepared = await decoding(bytes, prepare, pixels);
  const recognition = { languages, limits: { seconds: SECONDS, pixels: MAX_PIXELS } };
  const picture = { path: '', bytes: prepared.picture };
  const found = await recognizers.run('recognize', recognition, DEADLINE_SECONDS, { input: picture, signal });
  return scaleText(found, prepared.original.width / prepared.width, prepared.original);
}

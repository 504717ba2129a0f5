import type { PreparedPicture } from './decoder/text/prepare.ts';
import { decoders, recognizers } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { decodingNeeds } from './thumbnail.ts';
import type { ImageLimits, RecognizedText, TextBox, TextLanguage } from './types.ts';

/** Pixels in which text is looked for: a screen of 4K, or 16,000 rows of a long page. Larger pictures are scaled down. */
const MAX_PIXELS = 16_000_000;
/** Processor time for one picture; what was read by then is its text. */
const SECONDS = 40;
/** The process has a low priority, and may wait for the processor. Until then, it is only killed when it hangs. */
const DEADLINE_SECONDS = 240;

interface RecognizeOptions {
  /** At least one. */
  readonly languages: readonly TextLanguage[];
  readonly limits?: ImageLimits;
}

/**
 * Recognises the text in a stored picture, of any format that thumbnails are made of. Only preparing the picture waits for its turn to decode;
 * it is read in a process of its own, one picture at a time.
 *
 * @throws ImageError for a fault of the picture
 * @throws BusyError when the system can't start a process, or has ended it
 */
export async function recognizeText(
  input: string,
  { languages, limits = DEFAULT_IMAGE_LIMITS }: RecognizeOptions,
  decoding: Decoding,
): Promise<RecognizedText> {
  const { format, bytes, pixels } = await decoding.reading(() => decodingNeeds(input, limits));
  const preparation = { format, limits, pixels: MAX_PIXELS };
  const prepare = () => decoders.run('prepareForText', preparation, limits.decodeSeconds, { input });
  const prepared = await decoding(bytes, prepare, pixels);
  const recognition = { languages, limits: { seconds: SECONDS, pixels: MAX_PIXELS } };
  const found = await recognizers.run('recognize', recognition, DEADLINE_SECONDS, { input: { path: '', bytes: prepared.picture } });
  return onOriginal(found, prepared);
}

/** Moves the boxes onto the original, in whole pixels. */
function onOriginal({ lines }: RecognizedText, { width, original }: PreparedPicture): RecognizedText {
  if (width === original.width) return { lines };
  const scale = original.width / width;
  const scaled = <T extends { box: TextBox }>(part: T): T => {
    const [x, y, w, h] = part.box;
    const [left, top] = [Math.floor(x * scale), Math.floor(y * scale)];
    const [right, bottom] = [Math.min(original.width, Math.ceil((x + w) * scale)), Math.min(original.height, Math.ceil((y + h) * scale))];
    return { ...part, box: [left, top, right - left, bottom - top] };
  };
  return { lines: lines.map((line) => ({ ...scaled(line), words: line.words.map(scaled) })) };
}

import type { RecognizedText, TextLanguage } from '../../types.ts';
import type { Files } from '../files.ts';
import { sharp } from '../sharp/sharp.ts';
import { withDecodeErrors } from '../sharp/sharp-input.ts';
import { type Engine, openEngine } from './engine.ts';
import { toLines } from './lines.ts';
import { readBands } from './passes.ts';
import { sampleOf, TURNS, type Turn, turned, turnedBack } from './turns.ts';
import type { GreyPicture, Word } from './types.ts';
import { isConfident } from './words.ts';

export interface Recognition {
  readonly languages: readonly TextLanguage[];
  readonly limits: {
    /** Of processor time; what was read by then is the result. */
    readonly seconds: number;
    /** Of the prepared picture. */
    readonly pixels: number;
  };
}

/** Pictures of up to this many pixels are read at twice their size. Larger ones are photos, or of screens with small pixels. */
const MAX_ENLARGED = 4_000_000;
/** Text is small when half of its words are lower than this, in pixels. Tesseract needs 20 or more. */
const SMALL_HEIGHT = 18;

/** Letters of confident words from which on a picture counts as upright. */
const UPRIGHT_LETTERS = 24;
/** The same in the sample of a turned one. */
const TURNED_LETTERS = 12;

let open: { languages: string; engine: Promise<Engine> } | undefined;

/** The engine stays for the next picture, which has the same languages but for a change of the settings. */
function engineFor(languages: readonly TextLanguage[]): Promise<Engine> {
  const key = languages.join('+');
  if (open?.languages !== key) open = { languages: key, engine: openEngine(languages) };
  return open.engine;
}

/** Recognises the text in a picture that `prepareForText` has made. */
export async function recognize({ languages, limits }: Recognition, { picture }: Pick<Files, 'picture'>): Promise<RecognizedText> {
  const started = process.cpuUsage();
  const isOver = () => process.cpuUsage(started).user > limits.seconds * 1_000_000;
  const grey = await decode(picture, limits.pixels);
  try {
    const reader = readerOf(await engineFor(languages), isOver);
    const words = await reader(grey);
    if (confidentLetters(words) >= UPRIGHT_LETTERS) return { lines: toLines(words) };
    const turn = await findTurn(grey, reader);
    return { lines: turn ? await readTurned(grey, turn, reader) : toLines(words) };
  } catch (error) {
    // It may have trapped, or be incomplete.
    open = undefined;
    throw error;
  }
}

async function decode(picture: Uint8Array, limitInputPixels: number): Promise<GreyPicture> {
  const decoded = sharp(picture, { failOn: 'error', limitInputPixels }).greyscale().raw();
  const { data, info } = await withDecodeErrors(() => decoded.toBuffer({ resolveWithObject: true }));
  return { width: info.width, height: info.height, pixels: data };
}

type Reader = (picture: GreyPicture) => Promise<Word[]>;

function readerOf(engine: Engine, isOver: () => boolean): Reader {
  return async (picture) => {
    const isEnlarged = picture.width * picture.height <= MAX_ENLARGED;
    const words = await readBands(picture, [], { engine, isOver, scale: isEnlarged ? 2 : 1 });
    if (isEnlarged || !isSmall(words)) return words;
    return readBands(picture, words, { engine, isOver, scale: 2 });
  };
}

function isSmall(words: readonly Word[]): boolean {
  const heights = words.filter(isConfident).map(({ box }) => box[3]);
  return heights.length > 0 && heights.filter((height) => height < SMALL_HEIGHT).length * 2 > heights.length;
}

/** Tries the other directions, on a part of the picture. */
async function findTurn(picture: GreyPicture, reader: Reader): Promise<Turn | undefined> {
  const sample = sampleOf(picture);
  let best: { turn?: Turn; letters: number } = { letters: TURNED_LETTERS - 1 };
  for (const turn of TURNS) {
    const letters = confidentLetters(await reader(turned(sample, turn)));
    if (letters > best.letters) best = { turn, letters };
  }
  return best.turn;
}

async function readTurned(picture: GreyPicture, turn: Turn, reader: Reader): Promise<RecognizedText['lines']> {
  const lines = toLines(await reader(turned(picture, turn)));
  return lines.map(({ words, ...line }) => ({
    ...turnedBack(line, turn, picture),
    words: words.map((word) => turnedBack(word, turn, picture)),
  }));
}

function confidentLetters(words: readonly Word[]): number {
  return words.filter(isConfident).reduce((sum, { text }) => sum + text.length, 0);
}

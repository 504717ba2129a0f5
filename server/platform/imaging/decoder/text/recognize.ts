import type { RecognizedText, TextLanguage } from '../../types.ts';
import type { Files } from '../files.ts';
import { withDecodeErrors } from '../sharp/open.ts';
import { sharp } from '../sharp/sharp.ts';
import { isDrawn, onWhite } from './contrast.ts';
import { type Engine, openEngine } from './engine.ts';
import { scaleText, toLines } from './lines.ts';
import { ALL_VIEWS, readBands } from './passes.ts';
import { resized, withinPixels } from './prepare.ts';
import { sampleOf, TURNS, type Turn, turned, turnedBack } from './turns.ts';
import type { GreyPicture, Word } from './types.ts';
import { certaintyOf, isConfident } from './words.ts';

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

/** Text is upright when this many letters are certain, and this part of what was read. */
const UPRIGHT_LETTERS = 24;
const UPRIGHT_PART = 0.5;
/** In the sample of a turned picture. */
const TURNED_LETTERS = 12;

/** Photos have little text that is small, and much that isn't text, which takes longest. */
const PHOTO_PIXELS = 2_000_000;
const PHOTO_SECONDS = 10;
/** In a line of a photo. */
const PHOTO_LETTERS = 4;

let open: { languages: string; engine: Promise<Engine> } | undefined;

/** The engine stays for the next picture, which has the same languages but for a change of the settings. */
function engineFor(languages: readonly TextLanguage[]): Promise<Engine> {
  const key = languages.join('+');
  if (open?.languages !== key) open = { languages: key, engine: openEngine(languages) };
  return open.engine;
}

/** Recognises the text in a picture that `prepareForText` has made. */
export async function recognize({ languages, limits }: Recognition, { picture }: Pick<Files, 'picture'>): Promise<RecognizedText> {
  const grey = await decode(picture, limits.pixels);
  try {
    const engine = await engineFor(languages);
    return { lines: await (isDrawn(grey) ? readDrawn : readPhoto)(grey, { engine, seconds: limits.seconds }) };
  } catch (error) {
    open = undefined;
    throw error;
  }
}

async function decode(picture: Uint8Array, limitInputPixels: number): Promise<GreyPicture> {
  const decoded = sharp(picture, { failOn: 'error', limitInputPixels }).greyscale().raw();
  const { data, info } = await withDecodeErrors(() => decoded.toBuffer({ resolveWithObject: true }));
  return { width: info.width, height: info.height, pixels: data };
}

interface Allowance {
  readonly engine: Engine;
  readonly seconds: number;
}

/** Whether time is up. The engine is replaced then. */
function clockFor(seconds: number): () => boolean {
  const started = process.cpuUsage();
  return () => {
    const isOver = process.cpuUsage(started).user > seconds * 1_000_000;
    if (isOver) open = undefined;
    return isOver;
  };
}

type Lines = RecognizedText['lines'];

async function readPhoto(picture: GreyPicture, { engine, seconds }: Allowance): Promise<Lines> {
  const reduced = await resized(picture, withinPixels(picture, PHOTO_PIXELS));
  const reading = { engine, isOver: clockFor(Math.min(seconds, PHOTO_SECONDS)), scale: 1, views: [onWhite] } as const;
  const words = await readBands(reduced, [], reading);
  return scaleText({ lines: toLines(words, PHOTO_LETTERS) }, picture.width / reduced.width, picture).lines;
}

async function readDrawn(picture: GreyPicture, { engine, seconds }: Allowance): Promise<Lines> {
  const reader = readerOf(engine, clockFor(seconds));
  const words = await reader(picture);
  const { letters, part } = certaintyOf(words);
  if (letters >= UPRIGHT_LETTERS && part >= UPRIGHT_PART) return toLines(words);
  const turn = await findTurn(picture, reader, Math.max(TURNED_LETTERS, letters));
  return turn ? readTurned(picture, turn, reader) : toLines(words);
}

type Reader = (picture: GreyPicture) => Promise<Word[]>;

function readerOf(engine: Engine, isOver: () => boolean): Reader {
  return async (picture) => {
    const isEnlarged = picture.width * picture.height <= MAX_ENLARGED;
    const reading = { engine, isOver, views: ALL_VIEWS };
    const words = await readBands(picture, [], { ...reading, scale: isEnlarged ? 2 : 1 });
    return isEnlarged || !isSmall(words) ? words : readBands(picture, words, { ...reading, scale: 2 });
  };
}

function isSmall(words: readonly Word[]): boolean {
  const heights = words.filter(isConfident).map(({ box }) => box[3]);
  return heights.filter((height) => height < SMALL_HEIGHT).length * 2 > heights.length;
}

/** Tries the other directions, on a part of the picture. */
async function findTurn(picture: GreyPicture, reader: Reader, minLetters: number): Promise<Turn | undefined> {
  const sample = sampleOf(picture);
  let best: { turn?: Turn; letters: number } = { letters: minLetters };
  for (const turn of TURNS) {
    const { letters } = certaintyOf(await reader(turned(sample, turn)));
    if (letters > best.letters) best = { turn, letters };
  }
  return best.turn;
}

async function readTurned(picture: GreyPicture, turn: Turn, reader: Reader): Promise<Lines> {
  const lines = toLines(await reader(turned(picture, turn)));
  return lines.map(({ words, ...line }) => ({
    ...turnedBack(line, turn, picture),
    words: words.map((word) => turnedBack(word, turn, picture)),
  }));
}

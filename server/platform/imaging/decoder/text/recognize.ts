import type { RecognizedText, TextBox, TextLanguage } from '../../types.ts';
import type { Files } from '../files.ts';
import { withDecodeErrors } from '../sharp/open.ts';
import { sharp } from '../sharp/sharp.ts';
import { isDrawn, onWhite, standingOut, without } from './contrast.ts';
import { type Engine, OutOfTimeError, openEngine } from './engine.ts';
import { scaleText, toLines } from './lines.ts';
import { resized, withinPixels } from './prepare.ts';
import { sampleOf, TURNS, type Turn, turned, turnedBack } from './turns.ts';
import type { GreyPicture, Word } from './types.ts';
import { certaintyOf, isConfident, mergeWords } from './words.ts';

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

/** Pixels that Tesseract gets at once. */
const MAX_PIXELS = 8_000_000;
/** Rows that neighbouring bands share, so that each line is whole in one of them. */
const SHARED_ROWS = 64;

/** What is wrong at a cut is within this distance of it. */
const CUT = 2;
/** Of words that aren't read again, this part of their height around them isn't, either: the boxes of Chinese characters are inexact. */
const MARGIN = 0.25;
const MAX_MARGIN = 8;

/** What is read: the picture in black on white, and what stands out from coloured grounds. */
const ALL_VIEWS = [onWhite, standingOut];

/** How a picture is read. */
interface Reading {
  readonly engine: Engine;
  /** By how much it is enlarged. */
  readonly scale: 1 | 2;
  readonly views: readonly ((picture: GreyPicture) => GreyPicture)[];
  /** Whether time is up; what was read by then counts. */
  readonly isOver: () => boolean;
}

/** All words in a picture that others may have been read in, band by band. */
async function readBands(picture: GreyPicture, known: readonly Word[], reading: Reading): Promise<Word[]> {
  const { width, height } = picture;
  const rows = Math.max(4 * SHARED_ROWS, Math.floor(MAX_PIXELS / (width * reading.scale ** 2)));
  let words = [...known];
  for (let top = 0; top < height && !reading.isOver(); top += rows - SHARED_ROWS) {
    const bottom = Math.min(height, top + rows);
    const band = { width, height: bottom - top, pixels: picture.pixels.subarray(top * width, bottom * width) };
    const within = words.map((word) => moved(word, -top));
    const isWhole = ({ box: [, y, , h] }: Word) => (top === 0 || y > CUT) && (bottom === height || y + h < band.height - CUT);
    const found = await readBand(band, within, reading);
    words = mergeWords(
      words,
      found.filter(isWhole).map((word) => moved(word, top)),
    );
    if (bottom === height) break;
  }
  return words;
}

/** Reads all views of a band. What is certain isn't read twice. */
async function readBand(band: GreyPicture, known: readonly Word[], { engine, scale, views, isOver }: Reading): Promise<Word[]> {
  let words: Word[] = [];
  for (const view of views) {
    const read = [...known, ...words].filter(isConfident).map(({ box }) => grown(box));
    const scaled = await resized(without(view(band), read), { width: band.width * scale, height: band.height * scale });
    try {
      const found = engine.read(scaled, isOver);
      words = mergeWords(
        words,
        found.map((word) => ({ ...word, box: reduced(word.box, scale) })),
      );
    } catch (error) {
      if (error instanceof OutOfTimeError) break;
      throw error;
    }
  }
  return words;
}

const moved = (word: Word, by: number): Word => ({ ...word, box: [word.box[0], word.box[1] + by, word.box[2], word.box[3]] });
function grown([x, y, w, h]: TextBox): TextBox {
  const margin = Math.min(MAX_MARGIN, Math.ceil(h * MARGIN));
  return [x - margin, y - margin, w + 2 * margin, h + 2 * margin];
}

function reduced([x, y, w, h]: TextBox, scale: number): TextBox {
  const [left, top] = [Math.floor(x / scale), Math.floor(y / scale)];
  return [left, top, Math.ceil((x + w) / scale) - left, Math.ceil((y + h) / scale) - top];
}

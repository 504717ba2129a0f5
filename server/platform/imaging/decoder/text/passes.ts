import type { TextBox } from '../../types.ts';
import { onWhite, standingOut, without } from './contrast.ts';
import { type Engine, OutOfTimeError } from './engine.ts';
import { resized } from './prepare.ts';
import type { GreyPicture, Word } from './types.ts';
import { isConfident, mergeWords } from './words.ts';

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
export const ALL_VIEWS = [onWhite, standingOut];

/** How a picture is read. */
export interface Reading {
  readonly engine: Engine;
  /** By how much it is enlarged. */
  readonly scale: 1 | 2;
  readonly views: readonly ((picture: GreyPicture) => GreyPicture)[];
  /** Whether time is up; what was read by then counts. */
  readonly isOver: () => boolean;
}

/** All words in a picture that others may have been read in, band by band. */
export async function readBands(picture: GreyPicture, known: readonly Word[], reading: Reading): Promise<Word[]> {
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

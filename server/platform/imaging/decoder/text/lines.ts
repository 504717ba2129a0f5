import type { RecognizedText, RecognizedWord, Size, TextBox } from '../../types.ts';
import type { Word } from './types.ts';
import { isLegible } from './words.ts';

/** Per picture: several times as much as a screen full of code. */
export const MAX_LINES = 2_000;
export const MAX_CHARACTERS = 50_000;

/** Words are on the same line when this part of the lower one is beside the other, */
const BESIDE = 0.6;
/** and no further from it than this many times their height. */
const MAX_GAP = 1.5;

/** Mean confidence of a line, weighted by length. Lines of one short word need more. */
const MIN_CONFIDENCE = 65;
const MIN_SHORT_CONFIDENCE = 88;
const SHORT = 4;

const LETTER = /[\p{L}\p{N}]/gu;
const HAN = /\p{Script=Han}/gu;
const CHINESE = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;

type Line = RecognizedText['lines'][number];

/**
 * Puts words into lines, from top to bottom, and drops what isn't text.
 * @param minLetters of a line
 */
export function toLines(words: readonly Word[], minLetters = 1): Line[] {
  const rows: Word[][] = [];
  for (const word of words.toSorted((a, b) => a.box[0] - b.box[0])) {
    const row = rows.find((candidate) => continues(candidate, word));
    if (row) row.push(word);
    else rows.push([word]);
  }
  const lines = rows.filter((row) => isText(row, minLetters)).map(toLine);
  return bounded(lines.sort((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0]));
}

function continues(row: readonly Word[], { box: [x, y, , height] }: Word): boolean {
  const [lastX, lastY, lastWidth, lastHeight] = (row.at(-1) as Word).box;
  const beside = Math.min(lastY + lastHeight, y + height) - Math.max(lastY, y);
  const tallest = Math.max(height, lastHeight);
  return beside >= BESIDE * Math.min(height, lastHeight) && x - (lastX + lastWidth) <= MAX_GAP * tallest;
}

function isText(row: readonly Word[], minLetters: number): boolean {
  const legible = row.filter(isLegible);
  const letters = lettersIn(legible);
  if (letters < minLetters || lettersOf(legible).size < 2) return false;
  const confidence = legible.reduce((sum, word) => sum + word.confidence * lettersIn([word]), 0) / letters;
  return confidence >= (letters < SHORT ? MIN_SHORT_CONFIDENCE : MIN_CONFIDENCE);
}

/** A line, a dot or a circle may be read as one letter, or several of the same. */
function lettersOf(words: readonly Word[]): Set<string> {
  return new Set(words.flatMap(({ text }) => text.match(LETTER) ?? []));
}

/** A Chinese character says as much as two letters. */
function lettersIn(words: readonly Word[]): number {
  return words.reduce((sum, { text }) => sum + (text.match(LETTER)?.length ?? 0) + (text.match(HAN)?.length ?? 0), 0);
}

function toLine(row: readonly Word[]): Line {
  const words = row.filter(isLegible).map(({ text, box }) => ({ text, box }));
  return { text: joinWords(words.map(({ text }) => text)), box: around(words), words };
}

/** Chinese has no spaces between characters. */
export function joinWords(words: readonly string[]): string {
  return words.reduce((text, word) => {
    const isWithin = CHINESE.test(text.at(-1) ?? '') && CHINESE.test(word.at(0) ?? '');
    return text === '' || isWithin ? text + word : `${text} ${word}`;
  }, '');
}

function around(words: readonly RecognizedWord[]): TextBox {
  const left = Math.min(...words.map(({ box }) => box[0]));
  const top = Math.min(...words.map(({ box }) => box[1]));
  const right = Math.max(...words.map(({ box: [x, , width] }) => x + width));
  const bottom = Math.max(...words.map(({ box: [, y, , height] }) => y + height));
  return [left, top, right - left, bottom - top];
}

function bounded(lines: readonly Line[]): Line[] {
  let characters = 0;
  return lines.slice(0, MAX_LINES).filter(({ text }) => {
    characters += text.length;
    return characters <= MAX_CHARACTERS;
  });
}

/** Moves the boxes of text onto a picture that is `scale` times as large as the one it was read in, in whole pixels. */
export function scaleText({ lines }: RecognizedText, scale: number, within: Size): RecognizedText {
  if (scale === 1) return { lines };
  const scaled = <T extends { box: TextBox }>(part: T): T => {
    const [x, y, width, height] = part.box;
    const [left, top] = [Math.floor(x * scale), Math.floor(y * scale)];
    const right = Math.min(within.width, Math.ceil((x + width) * scale));
    const bottom = Math.min(within.height, Math.ceil((y + height) * scale));
    return { ...part, box: [left, top, right - left, bottom - top] };
  };
  return { lines: lines.map((line) => ({ ...scaled(line), words: line.words.map(scaled) })) };
}

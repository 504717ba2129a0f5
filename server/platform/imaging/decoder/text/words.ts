import type { TextBox } from '../../types.ts';
import type { Word } from './types.ts';

/** Words of at least this confidence are certain. */
const CONFIDENT = 80;

/** The part of the smaller of two boxes that the other one covers, from which on both are the same word. */
const SAME = 0.5;

/** Whether a word is certain, and need not be read again. */
export const isConfident = (word: Word): boolean => word.confidence >= CONFIDENT && isLegible(word);

/** Of what Tesseract reads into lines, icons and photos, most is below it. */
const MIN_CONFIDENCE = 50;
/** One or two letters prove little. */
const MIN_SHORT_CONFIDENCE = 75;

const HAN = /\p{Script=Han}/u;
const LETTERS = /[\p{L}\p{N}]/gu;

/** Read as a word of its own, between those of Chinese text. */
const PUNCTUATION = /^[，。、！？：；（）《》“”…]$/;
const MIN_PUNCTUATION_CONFIDENCE = 85;

/** Whether a word is text, as far as can be told from it alone. */
export function isLegible({ text, confidence }: Word): boolean {
  if (PUNCTUATION.test(text)) return confidence >= MIN_PUNCTUATION_CONFIDENCE;
  const letters = text.match(LETTERS)?.length ?? 0;
  if (letters === 0 || letters * 2 < text.length) return false;
  return confidence >= (letters < 3 && !HAN.test(text) ? MIN_SHORT_CONFIDENCE : MIN_CONFIDENCE);
}

/**
 * Adds the words of another pass. Where it has read the same, the more confident reading stays, and a word that is certain always does:
 * what else is there are its remains.
 */
export function mergeWords(words: readonly Word[], others: readonly Word[]): Word[] {
  const added = others.flatMap((other) => {
    const same = words.filter(({ box }) => overlap(box, other.box) >= SAME);
    const isBetter = isLegible(other) && !same.some((word) => isConfident(word) || word.confidence >= other.confidence);
    return isBetter || same.length === 0 ? [{ other, same }] : [];
  });
  const replaced = new Set(added.flatMap(({ same }) => same));
  return [...words.filter((word) => !replaced.has(word)), ...added.map(({ other }) => other)];
}

/** The part of the smaller box that the other one covers. */
function overlap([ax, ay, aw, ah]: TextBox, [bx, by, bw, bh]: TextBox): number {
  const width = Math.min(ax + aw, bx + bw) - Math.max(ax, bx);
  const height = Math.min(ay + ah, by + bh) - Math.max(ay, by);
  return width > 0 && height > 0 ? (width * height) / Math.min(aw * ah, bw * bh) : 0;
}

/** How much of what was read is certain: its letters, and their part of all letters. */
export function certaintyOf(words: readonly Word[]): { letters: number; part: number } {
  const lettersIn = (some: readonly Word[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  const letters = lettersIn(words.filter(isConfident));
  return { letters, part: letters / Math.max(1, lettersIn(words)) };
}

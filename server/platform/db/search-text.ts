/**
 * Text for finding any part of a word, in any script and of any length: a word becomes its pairs of neighbouring
 * characters and its last character alone. Asked for as a phrase, the pairs of a part are found exactly where the part stands.
 * Words of two Chinese characters, which indexes of three characters miss, are found like all others.
 */

const MOST_WORDS = 8;

/** The form in which texts are compared: without case, accents and width. */
function fold(text: string): string[] {
  const folded = text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .normalize('NFC');
  return folded.split(/[\s\p{Cc}]+/u).filter(Boolean);
}

/** Characters as code points in hexadecimal, so that the index takes punctuation for letters, too. */
const encode = (characters: string[]) => characters.map((one) => (one.codePointAt(0) as number).toString(16).padStart(5, '0')).join('');

function pairs(word: string): string[] {
  const characters = Array.from(word);
  return characters.map((_, at) => encode(characters.slice(at, at + 2)));
}

/** What the index keeps of texts. */
export function searchTokens(...texts: string[]): string {
  return texts.flatMap(fold).flatMap(pairs).join(' ');
}

/** The parts to look for, each a sequence of tokens and whether the last of these is only the beginning of one. */
export interface SearchPart {
  tokens: string[];
  prefix: boolean;
}

/** What somebody typed, as parts that must all be found. */
export function searchParts(typed: string): SearchPart[] {
  return fold(typed)
    .slice(0, MOST_WORDS)
    .map((word) => {
      const all = pairs(word);
      // The last character alone stands only at the end of an indexed word.
      return all.length === 1 ? { tokens: all, prefix: true } : { tokens: all.slice(0, -1), prefix: false };
    });
}

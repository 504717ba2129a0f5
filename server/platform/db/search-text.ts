/**
 * Text that makes any part of a word searchable, in any script and of any length: a word becomes its pairs of neighbouring
 * characters and its last character alone. Searched as a phrase, the pairs of a part match exactly where the part is.
 * Unlike in a trigram index, words of two Chinese characters are found too.
 */

const MAX_WORDS = 8;

/** The form in which texts are compared: without case, accents and character width. */
function fold(text: string): string[] {
  const folded = text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .normalize('NFC');
  return folded.split(/[\s\p{Cc}]+/u).filter(Boolean);
}

/** Characters as hexadecimal code points, so that the index treats punctuation as letters. */
const encode = (characters: string[]) => characters.map((one) => (one.codePointAt(0) as number).toString(16).padStart(5, '0')).join('');

function pairs(word: string): string[] {
  const characters = Array.from(word);
  return characters.map((_, at) => encode(characters.slice(at, at + 2)));
}

/** The indexed form of texts. */
export function searchTokens(...texts: string[]): string {
  return texts.flatMap(fold).flatMap(pairs).join(' ');
}

/** One part to search for; `prefix`: the last token is only the beginning of one. */
export interface SearchPart {
  tokens: string[];
  prefix: boolean;
}

/** The parts of a search text, which must all match. */
export function searchParts(typed: string): SearchPart[] {
  return fold(typed)
    .slice(0, MAX_WORDS)
    .map((word) => {
      const all = pairs(word);
      // Only at the end of an indexed word is a character alone.
      return all.length === 1 ? { tokens: all, prefix: true } : { tokens: all.slice(0, -1), prefix: false };
    });
}

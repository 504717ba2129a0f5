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

/** Whose images; null: guests'. */
export type Owner = number | null;

/**
 * Each owner has tokens of their own: a search reads no others, so that its time says nothing about the words of other users. Neither
 * letter is a hexadecimal digit.
 */
const ownToken = (owner: Owner) => (token: string) => `u${owner ?? 0}x${token}`;

/** The indexed form of the texts of an owner's image. */
export function searchTokens(owner: Owner, ...texts: string[]): string {
  return texts.flatMap(fold).flatMap(pairs).map(ownToken(owner)).join(' ');
}

/** The FTS5 query for the images of some owners that contain every part of a search text; undefined when it has no searchable characters. */
export function searchExpression(typed: string, owners: readonly Owner[]): string | undefined {
  const words = fold(typed).slice(0, MAX_WORDS).map(pairs);
  if (words.length === 0 || owners.length === 0) return undefined;
  return owners.map((owner) => `(${words.map((word) => phrase(word.map(ownToken(owner)))).join(' AND ')})`).join(' OR ');
}

/** Only at the end of an indexed word is a character alone. */
function phrase(word: string[]): string {
  return word.length === 1 ? `"${word[0]}"*` : `"${word.slice(0, -1).join(' ')}"`;
}

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

/** The words of some texts, in the form in which they are compared. */
export const foldedWords = (...texts: string[]): string[] => texts.flatMap(fold);

/** A word of a search text, with the tokens of every image that has it as part of a word. */
export interface TypedWord {
  text: string;
  /** The start of a token instead of a whole one, for a single character. */
  isPrefix: boolean;
  tokens: string[];
}

/** The words of a search text, with their tokens in the index of an owner. */
export function typedWords(typed: string, owner: Owner): TypedWord[] {
  return fold(typed)
    .slice(0, MAX_WORDS)
    .map((text) => {
      const tokens = pairs(text).map(ownToken(owner));
      return tokens.length === 1 ? { text, isPrefix: true, tokens } : { text, isPrefix: false, tokens: tokens.slice(0, -1) };
    });
}

/** The indexed form of the texts of an owner's image. */
export function searchTokens(owner: Owner, ...texts: string[]): string {
  return texts.flatMap(fold).flatMap(pairs).map(ownToken(owner)).join(' ');
}

/** The FTS5 query for the images of some owners that contain every part of a search text; undefined when it has no searchable characters. */
export function searchExpression(typed: string, owners: readonly Owner[]): string | undefined {
  const searched = owners.map((owner) => typedWords(typed, owner)).filter((words) => words.length > 0);
  return searched.map((words) => `(${words.map(phrase).join(' AND ')})`).join(' OR ') || undefined;
}

/** Only at the end of an indexed word is a character alone. */
const phrase = ({ tokens, isPrefix }: TypedWord) => (isPrefix ? `"${tokens[0]}"*` : `"${tokens.join(' ')}"`);

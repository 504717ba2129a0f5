import { readList } from './lists.ts';
import type { ImageRow } from './schema/library.ts';

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
interface TypedWord {
  text: string;
  /** The start of a token instead of a whole one, for a single character. */
  isPrefix: boolean;
  tokens: string[];
}

/** One condition of a search: an image has all words of one of the texts, or one of the marks. */
export interface SearchTerm {
  /** Each the words of one text, as {@link foldedWords} returns them. */
  texts: string[][];
  marks: string[];
}

/** The terms that find texts with every part of a search text. */
export const textTerms = (typed: string): SearchTerm[] =>
  fold(typed)
    .slice(0, MAX_WORDS)
    .map((word) => ({ texts: [[word]], marks: [] }));

/** The part of an index that is an owner's. */
export function tokensOf(owner: Owner) {
  const own = ownToken(owner);
  return {
    mark: own,
    word(text: string): TypedWord {
      const tokens = pairs(text).map(own);
      return tokens.length === 1 ? { text, isPrefix: true, tokens } : { text, isPrefix: false, tokens: tokens.slice(0, -1) };
    },
  };
}

/**
 * What an image has besides texts, as tokens. Their first letters aren't hexadecimal digits, so that none looks like a pair of characters.
 * @param date a year, month or day such as `2019-05`
 */
export const dateMark = (date: string) => `t${date.replaceAll('-', '')}`;
export const typeMark = (ext: string) => `k${ext}`;
/** Ids differ by case, tokens don't. */
export const albumMark = (id: string) => `l${Buffer.from(id).toString('hex')}`;

/** What the search index has of an image. */
export interface SearchEntry {
  id: number;
  tokens: string;
  /** The folded words, for engines that compare them. */
  words: string;
}

/** What of an image can be searched. */
export type Indexed = Pick<ImageRow, 'id' | 'owner_id' | 'tags' | 'name' | 'title' | 'caption' | 'alt' | 'ext' | 'taken_at'>;

const textsOf = ({ name, title, caption, alt, tags }: Indexed) => [name, title, caption, alt, ...readList<string>(tags)];

/** The year, month and day of a moment. */
function datesOf(time: number): string[] {
  const day = new Date(time).toISOString().slice(0, 10);
  return [day.slice(0, 4), day.slice(0, 7), day];
}

/** What the search index has of an image that is in these albums. */
export function toEntry(image: Indexed, albumIds: readonly string[]): SearchEntry {
  const { id, owner_id, ext, taken_at } = image;
  const words = textsOf(image).flatMap(fold);
  const marks = [...datesOf(taken_at).map(dateMark), typeMark(ext), ...albumIds.map(albumMark)];
  return { id, tokens: [...words.flatMap(pairs), ...marks].map(ownToken(owner_id)).join(' '), words: words.join(' ') };
}

/** Whether an image meets a condition by what everyone who may open it can read, which its tags aren't. */
export function meetsTerm(
  { name, title, caption, alt, ext, taken_at }: Omit<Indexed, 'id' | 'owner_id' | 'tags'>,
  term: SearchTerm,
): boolean {
  const words = foldedWords(name, title, caption, alt);
  const marks = [...datesOf(taken_at).map(dateMark), typeMark(ext)];
  return (
    term.marks.some((mark) => marks.includes(mark)) ||
    term.texts.some((typed) => typed.every((part) => words.some((word) => word.includes(part))))
  );
}

/** Lengths of words that a mistyped word can mean. */
const [MIN_WORD, MAX_WORD] = [4, 30];
const WITHOUT_SPACES = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}/u;

/** The words of an image that a mistyped word can mean: letters only, in scripts that separate words. */
export function plainWords(image: Indexed): string[] {
  return textsOf(image)
    .flatMap(fold)
    .flatMap((text) => text.split(/[^\p{L}]+/u))
    .filter((word) => word.length >= MIN_WORD && word.length <= MAX_WORD && !WITHOUT_SPACES.test(word));
}

/** The FTS5 query for the images of some owners that meet every term; undefined when there are none. */
export function searchExpression(terms: readonly SearchTerm[], owners: readonly Owner[]): string | undefined {
  if (terms.length === 0) return undefined;
  return owners.map((owner) => `(${terms.map((term) => termExpression(term, owner)).join(' AND ')})`).join(' OR ') || undefined;
}

function termExpression({ texts, marks }: SearchTerm, owner: Owner): string {
  const own = tokensOf(owner);
  const phrases = texts.map((words) => words.map((word) => phrase(own.word(word))).join(' AND '));
  return `(${[...phrases.map((text) => `(${text})`), ...marks.map((mark) => `"${own.mark(mark)}"`)].join(' OR ')})`;
}

/** Only at the end of an indexed word is a character alone. */
const phrase = ({ tokens, isPrefix }: TypedWord) => (isPrefix ? `"${tokens[0]}"*` : `"${tokens.join(' ')}"`);

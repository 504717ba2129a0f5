import { isVideo, SERVED_EXTS } from '#api/formats.ts';
import { foldText } from '#api/images/fold-text.ts';
import type { SearchPart } from '#api/images/search-terms.ts';
import { readList } from './lists.ts';
import type { ImageRow } from './schema/library.ts';

/**
 * Text that makes any part of a word searchable, in any script and of any length: a word becomes its pairs of neighbouring
 * characters and its last character alone. Searched as a phrase, the pairs of a part match exactly where the part is.
 * Unlike in a trigram index, words of two Chinese characters are found too.
 */

const MAX_WORDS = 8;

/** The words of a text, in the form in which they are compared. */
const fold = (text: string): string[] =>
  foldText(text)
    .split(/[\s\p{Cc}]+/u)
    .filter(Boolean);

/** A character as its hexadecimal code point, so that the index treats punctuation as letters. */
const encode = (character: string) => (character.codePointAt(0) as number).toString(16).padStart(5, '0');

function pairs(word: string): string[] {
  const codes = Array.from(word, encode);
  return codes.map((code, at) => code + (codes[at + 1] ?? ''));
}

/** Whose images; null: guests'. */
export type Owner = number | null;

/**
 * Each owner has tokens of their own: a search reads no others, so that its time says nothing about the words of other users. Neither
 * letter is a hexadecimal digit.
 */
const ownToken = (owner: Owner) => (token: string) => `u${owner ?? 0}x${token}`;

/** Recognised text has tokens of its own, so that a search can leave it out. */
const recognizedToken = (owner: Owner) => (token: string) => `v${owner ?? 0}x${token}`;

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

/** The conditions of a search. */
export interface SearchTerms {
  all: readonly SearchTerm[];
  /** Whether texts may also be in an image, recognised there. */
  inPictures: boolean;
}

/** The terms that find texts with every part of a search text. */
export const textTerms = (typed: string): SearchTerms => ({
  all: fold(typed)
    .slice(0, MAX_WORDS)
    .map((word) => ({ texts: [[word]], marks: [] })),
  inPictures: false,
});

/** The part of an index that is an owner's. */
export function tokensOf(owner: Owner) {
  const own = ownToken(owner);
  return {
    mark: own,
    /** A word in the texts of an image, and as it would be in recognised text. */
    words: (text: string, { inPictures }: Pick<SearchTerms, 'inPictures'>): TypedWord[] =>
      (inPictures ? [own, recognizedToken(owner)] : [own]).map((token) => typedWord(text, pairs(text).map(token))),
  };
}

const typedWord = (text: string, tokens: string[]): TypedWord =>
  tokens.length === 1 ? { text, isPrefix: true, tokens } : { text, isPrefix: false, tokens: tokens.slice(0, -1) };

/** Which date of an image is meant. */
export type DateKind = 'taken' | 'uploaded';

/**
 * What an image has besides texts, as tokens. Their first letters aren't hexadecimal digits, so that none looks like a pair of characters.
 * @param date a year, month or day such as `2019-05`
 */
const dateMark = (date: string, kind: DateKind) => `${kind === 'taken' ? 't' : 'n'}${date.replaceAll('-', '')}`;
const typeMark = (ext: string) => `k${ext}`;
/** Ids differ by case, tokens don't. */
export const albumMark = (id: string) => `l${Buffer.from(id).toString('hex')}`;

/** The marks of the dates and the type that a part of a search text names. */
export const partMarks = ({ date, dates = date ? [date] : [], type }: SearchPart, kind: DateKind): string[] => [
  ...dates.map((one) => dateMark(one, kind)),
  ...(type === 'video' ? SERVED_EXTS.filter(isVideo) : type ? [type] : []).map(typeMark),
];

/** What the search index has of an image. */
export interface SearchEntry {
  id: number;
  tokens: string;
  /** The folded words, for engines that compare them. */
  words: string;
  /** The same of recognised text. */
  recognized: string;
}

/** What of an image can be searched. */
export type Indexed = Pick<ImageRow, 'id' | 'owner_id' | 'tags' | 'name' | 'title' | 'caption' | 'alt' | 'ext' | 'taken_at' | 'created_at'>;

const textsOf = ({ name, title, caption, alt, tags }: Indexed) => [name, title, caption, alt, ...readList<string>(tags)];

/** The year, month and day of a moment. */
function datesOf(time: number): string[] {
  const day = new Date(time).toISOString().slice(0, 10);
  return [day.slice(0, 4), day.slice(0, 7), day];
}

/** The marks of an image that can be searched for, but for its albums. */
const ownMarks = ({ taken_at, created_at, ext }: Pick<Indexed, 'taken_at' | 'created_at' | 'ext'>): string[] => [
  ...datesOf(taken_at).map((date) => dateMark(date, 'taken')),
  ...datesOf(created_at).map((date) => dateMark(date, 'uploaded')),
  typeMark(ext),
];

/** What the search index has of an image with its albums and the text that was recognised in it. */
export function toEntry(image: Indexed, { albumIds, recognized }: { albumIds: readonly string[]; recognized: string }): SearchEntry {
  const { id, owner_id } = image;
  const words = textsOf(image).flatMap(fold);
  const marks = [...ownMarks(image), ...albumIds.map(albumMark)];
  const inPicture = fold(recognized);
  const tokens = [
    ...[...words.flatMap(pairs), ...marks].map(ownToken(owner_id)),
    ...inPicture.flatMap(pairs).map(recognizedToken(owner_id)),
  ];
  return { id, tokens: tokens.join(' '), words: words.join(' '), recognized: inPicture.join(' ') };
}

/**
 * Whether an image meets all conditions by what everyone who may open it can read, which its tags aren't.
 * @param recognized the text that was recognised in it
 */
export function meetsTerms(
  { name, title, caption, alt, ...others }: Omit<Indexed, 'id' | 'owner_id' | 'tags'>,
  terms: readonly SearchTerm[],
  recognized: string,
): boolean {
  const words = foldedWords(name, title, caption, alt, recognized);
  const marks = ownMarks(others);
  return terms.every(
    (term) =>
      term.marks.some((mark) => marks.includes(mark)) ||
      term.texts.some((typed) => typed.every((part) => words.some((word) => word.includes(part)))),
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
export function searchExpression({ all, inPictures }: SearchTerms, owners: readonly Owner[]): string | undefined {
  if (all.length === 0) return undefined;
  return owners.map((owner) => `(${all.map((term) => termExpression(term, owner, inPictures)).join(' AND ')})`).join(' OR ') || undefined;
}

function termExpression({ texts, marks }: SearchTerm, owner: Owner, inPictures: boolean): string {
  const own = tokensOf(owner);
  const anywhere = (word: string) => `(${own.words(word, { inPictures }).map(phrase).join(' OR ')})`;
  const phrases = texts.map((words) => words.map(anywhere).join(' AND '));
  return `(${[...phrases.map((text) => `(${text})`), ...marks.map((mark) => `"${own.mark(mark)}"`)].join(' OR ')})`;
}

/** Only at the end of an indexed word is a character alone. */
const phrase = ({ tokens, isPrefix }: TypedWord) => (isPrefix ? `"${tokens[0]}"*` : `"${tokens.join(' ')}"`);

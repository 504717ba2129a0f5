import type { Kysely } from 'kysely';
import type { Tables } from './schema/tables.ts';
import { type Indexed, plainWords } from './search-text.ts';

/** Shorter words have too many neighbours. */
const MIN_LENGTH = 5;
/** Words that one mistyped word can mean. */
const MAX_SIMILAR = 10;

const reverse = (word: string) => Array.from(word).reverse().join('');

/** Adds the words of images to those of their owners. They stay there: a word that finds nothing does no harm. */
export async function addWords(queries: Kysely<Tables>, images: readonly Indexed[]): Promise<void> {
  const rows = new Map<string, { owner_id: number; word: string; reversed: string }>();
  for (const image of images)
    for (const word of image.owner_id === null ? [] : plainWords(image))
      rows.set(`${image.owner_id} ${word}`, { owner_id: image.owner_id as number, word, reversed: reverse(word) });
  if (rows.size === 0) return;
  await queries
    .insertInto('image_search_words')
    .values([...rows.values()])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * The words of a user's images that are one edit away from a typed word: a letter replaced, added, left out or swapped with the next one.
 * Such a word has the same beginning or the same end as the typed one, unless the two letters in the middle are swapped.
 */
export async function similarWords(queries: Kysely<Tables>, owner: number, typed: string): Promise<string[]> {
  const letters = Array.from(typed);
  if (letters.length < MIN_LENGTH || !/^\p{L}+$/u.test(typed)) return [];
  const half = letters.length >> 1;
  const own = () => queries.selectFrom('image_search_words').select('word').where('owner_id', '=', owner);
  const starting = (column: 'word' | 'reversed', start: string) =>
    own().where(column, '>=', start).where(column, '<', `${start}\u{10FFFF}`).execute();
  const swapped = [...letters.slice(0, half - 1), letters[half], letters[half - 1], ...letters.slice(half + 1)].join('');
  const rows = await Promise.all([
    starting('word', letters.slice(0, half).join('')),
    starting('reversed', reverse(letters.slice(half).join(''))),
    own().where('word', '=', swapped).execute(),
  ]);
  const words = new Set(rows.flat().map(({ word }) => word));
  return [...words].filter((word) => isOneEdit(typed, word)).slice(0, MAX_SIMILAR);
}

/** Whether one edit turns a word into another one. */
export function isOneEdit(one: string, other: string): boolean {
  const [a, b] = [Array.from(one), Array.from(other)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length + right.length === 1 || (left.length === 1 && right.length === 1)) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

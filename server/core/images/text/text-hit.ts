import { parseSearch } from '#api/images/search-terms.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { foldedWords } from '#server/platform/db/search-text.ts';
import { inTurns } from './in-turns.ts';
import { textsOf } from './recognized.ts';

/** Where a search has found an image by the text in it. */
export interface TextHit {
  matched_text: true;
  /** The line of text that it was found by. */
  text_snippet: string;
}

/** Characters of a snippet, around what was found. */
const MAX_SNIPPET = 160;

/** Which of the images that a search has found have some of the searched words in their text. */
export async function textHits(
  read: Queries,
  typed: string | undefined,
  images: readonly { id: number }[],
): Promise<ReadonlyMap<number, TextHit>> {
  const parts = typed ? parseSearch(typed).parts.map(({ words }) => foldedWords(...words)) : [];
  const hits = new Map<number, TextHit>();
  if (parts.length === 0) return hits;
  for await (const [id, text] of inTurns(await textsOf(read, images), (entry) => entry[1].length)) {
    const line = lineWith(text, parts);
    if (line !== undefined) hits.set(id, { matched_text: true, text_snippet: line });
  }
  return hits;
}

/** The first line with one of the parts, each several words. */
export function lineWith(text: string, parts: readonly (readonly string[])[]): string | undefined {
  const words = foldedWords(text);
  const found = parts.filter((part) => part.length > 0 && part.every((word) => words.some((whole) => whole.includes(word))));
  if (found.length === 0) return undefined;
  const searched = found.flat();
  for (const line of text.split('\n')) {
    const folded = foldedWords(line);
    const at = searched.find((word) => folded.some((whole) => whole.includes(word)));
    if (at !== undefined) return around(line, at);
  }
  return undefined;
}

/** As much of a line as a list shows. */
function around(line: string, word: string): string {
  if (line.length <= MAX_SNIPPET) return line;
  const at = Math.max(0, line.toLowerCase().indexOf(word));
  const from = Math.max(0, Math.min(at - MAX_SNIPPET / 4, line.length - MAX_SNIPPET));
  return `${from > 0 ? '…' : ''}${line
    .slice(from, from + MAX_SNIPPET)
    .toWellFormed()
    .replaceAll('\uFFFD', '')}${from + MAX_SNIPPET < line.length ? '…' : ''}`;
}

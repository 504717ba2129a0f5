import { foldText } from '#api/images/fold-text.ts';
import { parseSearch } from '#api/images/search-terms.ts';
import type { TextLine } from '#api/images/text.ts';

/** A word of a line; the whole line where its words aren't known. */
export type Word = Pick<TextLine, 'text' | 'box'>;

export const wordsOf = ({ text, box, words }: TextLine): readonly Word[] => (words?.length ? words : [{ text, box }]);

/** The words of a line in which a search text, or a part of it, was found. */
export function foundWords(line: TextLine, searched: string): ReadonlySet<Word> {
  const parts = parseSearch(searched)
    .parts.flatMap(({ words }) => words.map(foldText))
    .filter(Boolean);
  const words = wordsOf(line);
  // Each character with the word that it belongs to: what is found may be in several words of a language without spaces.
  const characters = words.flatMap((word, at) => {
    const isApart = at > 0 && line.text.includes(`${words[at - 1]?.text} ${word.text}`);
    return [
      ...(isApart ? [{ character: ' ', word: undefined }] : []),
      ...Array.from(foldText(word.text), (character) => ({ character, word })),
    ];
  });
  const text = characters.map(({ character }) => character);
  const found = new Set<Word>();
  for (const part of parts) {
    const typed = Array.from(part);
    for (let from = 0; from + typed.length <= text.length; from++)
      if (typed.every((character, at) => text[from + at] === character))
        for (const { word } of characters.slice(from, from + typed.length)) if (word) found.add(word);
  }
  return found;
}

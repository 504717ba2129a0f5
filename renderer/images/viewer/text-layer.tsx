import { type PointerEvent, useLayoutEffect, useRef } from 'react';
import { foldText } from '#api/images/fold-text.ts';
import { parseSearch } from '#api/images/search-terms.ts';
import type { TextLine } from '#api/images/text.ts';
import classes from './text-layer.module.css';

interface Props {
  lines: readonly TextLine[];
  searched: string | undefined;
  /** CSS pixels per pixel of the picture, before zooming. */
  scale: number;
}

/**
 * The text of a picture, invisible and in its place, so that it can be selected and copied as on a page. What was searched for is marked. Screen readers
 * find the text among the details.
 */
export function TextLayer({ lines, searched, scale }: Props) {
  return (
    <div className={classes.layer} aria-hidden data-text onPointerDown={keepMouse}>
      {lines.map((line) => (
        <Line key={line.box.join()} line={line} found={searched ? foundWords(line, searched) : undefined} scale={scale} />
      ))}
    </div>
  );
}

/** The mouse selects; a finger still turns to the next picture. */
function keepMouse(event: PointerEvent) {
  if (event.pointerType === 'mouse') event.stopPropagation();
}

function Line({ line, found, scale }: { line: TextLine; found: ReadonlySet<Word> | undefined; scale: number }) {
  const words = wordsOf(line);
  return (
    <div>
      {words.map((word, at) => (
        <Placed
          key={word.box.join()}
          word={word}
          isApart={line.text.includes(`${word.text} ${words[at + 1]?.text}`)}
          isFound={found?.has(word) ?? false}
          scale={scale}
        />
      ))}
    </div>
  );
}

interface PlacedProps {
  word: Word;
  /** Whether a space follows. */
  isApart: boolean;
  isFound: boolean;
  scale: number;
}

/** A word, stretched to the width that it has in the picture. */
function Placed({ word: { text, box }, isApart, isFound, scale }: PlacedProps) {
  const placed = useRef<HTMLSpanElement>(null);
  const letters = useRef<HTMLSpanElement>(null);
  const [x, y, width, height] = box.map((pixels) => pixels * scale) as [number, number, number, number];
  useLayoutEffect(() => {
    if (placed.current && letters.current) placed.current.style.transform = `scaleX(${width / Math.max(1, letters.current.offsetWidth)})`;
  }, [width]);
  return (
    <span ref={placed} className={classes.word} style={{ left: x, top: y, height, fontSize: height * 0.82, lineHeight: `${height}px` }}>
      <span ref={letters} data-found={isFound || undefined}>
        {text}
      </span>
      {isApart && ' '}
    </span>
  );
}

/** A word of a line; the whole line where its words aren't known. */
type Word = Pick<TextLine, 'text' | 'box'>;

const wordsOf = ({ text, box, words }: TextLine): readonly Word[] => (words?.length ? words : [{ text, box }]);

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

import { expect, it } from 'vitest';
import type { TextLine } from '#api/images/text.ts';
import { foundWords } from '#renderer/images/viewer/text-layer.tsx';

const box: TextLine['box'] = [0, 0, 1, 1];
const lineOf = (text: string, words: readonly string[]): TextLine => ({ text, box, words: words.map((word) => ({ text: word, box })) });
const found = (line: TextLine, searched: string) => [...foundWords(line, searched)].map(({ text }) => text);

it('marks the words that contain what was searched for, whatever their case and accents', () => {
  const line = lineOf('Das Café öffnet', ['Das', 'Café', 'öffnet']);
  expect(found(line, 'cafe OFFN')).toEqual(['Café', 'öffnet']);
  expect(found(line, 'tea')).toEqual([]);
});

it('marks what stretches over several words of a language without spaces', () => {
  const line = lineOf('今日特价供应', ['今日', '特价', '供应']);
  expect(found(line, '日特')).toEqual(['今日', '特价']);
  expect(found(line, '应今')).toEqual([]);
});

it('doesn’t join words that have a space between them', () => {
  expect(found(lineOf('to day', ['to', 'day']), 'today')).toEqual([]);
});

it('marks the line where its words aren’t known', () => {
  expect(found({ text: 'Invoice 42', box }, 'invoice')).toEqual(['Invoice 42']);
});

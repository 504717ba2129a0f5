import { expect, it } from 'vitest';
import { certaintyOf, isLegible, mergeWords } from '#server/platform/imaging/decoder/text/words.ts';
import type { TextBox } from '#server/platform/imaging/types.ts';

const word = (text: string, confidence: number, box: TextBox = [0, 0, 40, 10]) => ({ text, confidence, box });

it('keeps the more confident of two readings of the same word', () => {
  const [poor, better] = [word('0k', 60), word('OK!', 78, [2, 0, 40, 11])];
  expect(mergeWords([poor], [better])).toEqual([better]);
  expect(mergeWords([better], [poor])).toEqual([better]);
});

it('never replaces a word that is certain, not even by several', () => {
  const certain = word('Settings', 90);
  expect(mergeWords([certain], [word('Sett', 95, [0, 0, 20, 10]), word('ings', 95, [20, 0, 20, 10])])).toEqual([certain]);
});

it('adds words of another pass that are elsewhere', () => {
  const [one, other] = [word('Save', 90), word('Cancel', 90, [60, 0, 40, 10])];
  expect(mergeWords([one], [other])).toEqual([one, other]);
});

it.each([
  ['Save', 50, true],
  ['Save', 49, false],
  ['al', 74, false],
  ['OK', 75, true],
  ['图', 50, true],
  ['|', 99, false],
  ['—=a', 99, false],
  ['，', 90, true],
  ['，', 60, false],
])('takes %s, read with a confidence of %i, for text: %s', (text, confidence, expected) => {
  expect(isLegible(word(text, confidence))).toBe(expected);
});

it('counts how much is certain', () => {
  expect(certaintyOf([word('Save', 90), word('zzzz', 30)])).toEqual({ letters: 4, part: 0.5 });
  expect(certaintyOf([])).toEqual({ letters: 0, part: 0 });
});

import { expect, it } from 'vitest';
import { joinWords, MAX_CHARACTERS, MAX_LINES, toLines } from '#server/platform/imaging/decoder/text/lines.ts';

const word = (text: string, x: number, y: number, confidence = 95) => ({
  text,
  confidence,
  box: [x, y, 40, 10] as [number, number, number, number],
});
const textsOf = (lines: { text: string }[]) => lines.map(({ text }) => text);

it.each([
  [['Save', 'changes'], 'Save changes'],
  [['上传', '失败', '，', '请', '重试'], '上传失败，请重试'],
  [['打开', 'Pixdock', '设置'], '打开 Pixdock 设置'],
  [[], ''],
])('joins %j', (words, expected) => {
  expect(joinWords(words)).toBe(expected);
});

it('puts words beside each other into lines, from top to bottom', () => {
  const lines = toLines([word('below', 0, 30), word('right', 45, 2), word('left', 0, 0)]);
  expect(textsOf(lines)).toEqual(['left right', 'below']);
  expect(lines[0]).toMatchObject({ box: [0, 0, 85, 12], words: [{ text: 'left', box: [0, 0, 40, 10] }, { text: 'right' }] });
});

it('keeps columns apart', () => {
  expect(textsOf(toLines([word('name', 0, 0), word('size', 200, 0)]))).toEqual(['name', 'size']);
});

it('drops what is uncertain, more so when it is short, and a letter that stands alone', () => {
  expect(toLines([word('shadow', 0, 0, 60), word('ab', 0, 30, 80), word('一', 0, 60, 99), word('000', 0, 90, 99)])).toEqual([]);
  expect(textsOf(toLines([word('shadow', 0, 0, 70), word('ab', 0, 30, 90)]))).toEqual(['shadow', 'ab']);
});

it('drops short lines where longer ones are required', () => {
  expect(textsOf(toLines([word('abc', 0, 0), word('abcd', 0, 30)], 4))).toEqual(['abcd']);
});

it('bounds the lines and characters of a picture', () => {
  const words = Array.from({ length: MAX_LINES + 5 }, (_, index) => word('text', 0, index * 20));
  expect(toLines(words)).toHaveLength(MAX_LINES);
  const long = 'long text'.repeat(1_000);
  const characters = toLines(Array.from({ length: 10 }, (_, index) => word(long, 0, index * 20))).reduce(
    (sum, { text }) => sum + text.length,
    0,
  );
  expect(characters).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(characters).toBeGreaterThan(MAX_CHARACTERS - long.length);
});

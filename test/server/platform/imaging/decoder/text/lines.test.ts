import { describe, expect, it } from 'vitest';
import { isDrawn, onWhite, standingOut, without } from '#server/platform/imaging/decoder/text/contrast.ts';
import { requireHash } from '#server/platform/imaging/decoder/text/engine.ts';
import { joinWords, MAX_CHARACTERS, MAX_LINES, toLines } from '#server/platform/imaging/decoder/text/lines.ts';
import { sampleOf, TURNS, turned, turnedBack } from '#server/platform/imaging/decoder/text/turns.ts';
import { certaintyOf, isLegible, mergeWords } from '#server/platform/imaging/decoder/text/words.ts';
import type { TextBox } from '#server/platform/imaging/types.ts';

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

describe('words', () => {
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
});

/** A picture of one shade, with rectangles of others. */
function drawn({ width = 60, height = 40, ground = 255 }, ...parts: [shade: number, box: TextBox][]) {
  const pixels = new Uint8Array(width * height).fill(ground);
  for (const [shade, [x, y, w, h]] of parts) {
    for (let row = y; row < y + h; row++) pixels.fill(shade, row * width + x, row * width + x + w);
  }
  return { width, height, pixels };
}

const LETTER: TextBox = [20, 15, 3, 8];

it('inverts dark pictures', () => {
  expect(onWhite(drawn({ ground: 20 }, [230, LETTER]))).toEqual(drawn({ ground: 235 }, [25, LETTER]));
  const light = drawn({}, [20, LETTER]);
  expect(onWhite(light)).toEqual(light);
});

it('draws white letters on a coloured button in black on white, and neither the button nor its frame', () => {
  const button: TextBox = [5, 5, 40, 25];
  expect(standingOut(drawn({}, [120, button], [255, LETTER]))).toEqual(drawn({}, [0, LETTER]));
});

it('leaves out what was read', () => {
  expect(without(drawn({}, [0, LETTER], [0, [40, 5, 3, 8]]), [[38, 0, 90, 20]])).toEqual(drawn({}, [0, LETTER]));
});

it('tells photos from what a computer has drawn', () => {
  const noise = { width: 60, height: 40, pixels: new Uint8Array(2_400).map((_, at) => (at * 7_919) % 251) };
  expect([isDrawn(drawn({}, [0, LETTER])), isDrawn(noise)]).toEqual([true, false]);
});

it.each(TURNS)('turns a picture by %i degrees, and what was read in it back', (turn) => {
  const picture = drawn({}, [0, LETTER]);
  const view = turned(picture, turn);
  const dark = [...view.pixels.keys()].filter((at) => view.pixels[at] === 0);
  const xs = dark.map((at) => at % view.width);
  const ys = dark.map((at) => Math.floor(at / view.width));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const found = { text: 'I', box: [x, y, Math.max(...xs) - x + 1, Math.max(...ys) - y + 1] as TextBox };
  expect(turnedBack(found, turn, picture).box).toEqual(LETTER);
});

it('takes a sample where the most edges are', () => {
  const stripes = Array.from({ length: 60 }, (_, index): [number, TextBox] => [0, [800 + index * 4, 700, 2, 60]]);
  const sample = sampleOf(drawn({ width: 1_200, height: 900 }, ...stripes));
  expect([sample.width, sample.height]).toEqual([500, 500]);
  expect(sample.pixels.filter((shade) => shade === 0).length).toBeGreaterThan(6_000);
});

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

it('rejects a language file that isn’t the expected one', () => {
  expect(() => requireHash(new Uint8Array(), { file: 'eng.gz', sha256: EMPTY })).not.toThrow();
  expect(() => requireHash(Buffer.from('other'), { file: 'eng.gz', sha256: EMPTY })).toThrow(/^eng\.gz has the SHA-256 .* instead of e3b0/);
});

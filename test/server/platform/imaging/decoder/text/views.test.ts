import { expect, it } from 'vitest';
import { isDrawn, onWhite, standingOut, without } from '#server/platform/imaging/decoder/text/contrast.ts';
import { sampleOf, TURNS, turned, turnedBack } from '#server/platform/imaging/decoder/text/turns.ts';
import type { TextBox } from '#server/platform/imaging/types.ts';

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

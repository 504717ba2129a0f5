import { describe, expect, it } from 'vitest';
import {
  fitView,
  fromScreen,
  keepVisible,
  type Turns,
  toScreen,
  toTurns,
  turnedSize,
  turnMatrix,
  turnPoint,
  turnRect,
  unturnPoint,
  wholePixels,
  zoomView,
} from '#renderer/editor/geometry.ts';

const SIZE = { width: 300, height: 200 };
const ALL: Turns[] = [0, 1, 2, 3];

describe('turning', () => {
  it('moves the upper left corner clockwise around the picture', () => {
    expect(ALL.map((turns) => turnPoint({ x: 0, y: 0 }, turns, SIZE))).toEqual([
      { x: 0, y: 0 },
      { x: 200, y: 0 },
      { x: 300, y: 200 },
      { x: 0, y: 300 },
    ]);
  });

  it('is undone by unturning, and done by the matrix, for any point', () => {
    const point = { x: 17, y: 140 };
    for (const turns of ALL) {
      const there = turnPoint(point, turns, SIZE);
      expect(unturnPoint(there, turns, SIZE)).toEqual(point);
      const [a, b, c, d, e, f] = turnMatrix(turns, SIZE);
      expect({ x: a * point.x + c * point.y + e, y: b * point.x + d * point.y + f }).toEqual(there);
    }
  });

  it('keeps rectangles inside the turned picture, and four turns are none', () => {
    const rect = { x: 10, y: 20, width: 100, height: 50 };
    expect(turnRect(rect, 1, SIZE)).toEqual({ x: 130, y: 10, width: 50, height: 100 });
    let now = rect;
    let size = SIZE;
    for (let count = 0; count < 4; count += 1) {
      now = turnRect(now, 1, size);
      size = turnedSize(size, 1);
    }
    expect(now).toEqual(rect);
    expect([toTurns(4), toTurns(-1)]).toEqual([0, 3]);
  });
});

describe('the view', () => {
  const screen = { width: 1000, height: 600 };

  it('fits the content into the screen and doesn’t enlarge small pictures', () => {
    const view = fitView({ x: 100, y: 0, width: 1900, height: 500 }, screen, 25);
    expect(view.scale).toBe(0.5);
    expect(toScreen({ x: 1050, y: 250 }, view)).toEqual({ x: 500, y: 300 });
    expect(fitView({ x: 0, y: 0, width: 10, height: 10 }, screen, 25).scale).toBe(1);
  });

  it('zooms around the place under the pointer', () => {
    const before = fitView({ x: 0, y: 0, width: 2000, height: 1000 }, screen, 0);
    const at = { x: 120, y: 340 };
    const after = zoomView(before, 3, at);
    expect(fromScreen(at, after).x).toBeCloseTo(fromScreen(at, before).x);
    expect(fromScreen(at, after).y).toBeCloseTo(fromScreen(at, before).y);
    expect(after.scale).toBeCloseTo(before.scale * 3);
  });

  it('keeps some of the picture on the screen', () => {
    const content = { x: 0, y: 0, width: 100, height: 100 };
    const { x, y } = keepVisible({ scale: 1, x: 5000, y: -5000 }, content, screen);
    expect([x, y]).toEqual([screen.width - 48, 48 - 100]);
  });
});

it('takes whole pixels: all that a rectangle touches, within bounds', () => {
  expect(wholePixels({ x: -3.2, y: 1.5, width: 10, height: 2.1 }, { x: 0, y: 0, width: 5, height: 5 })).toEqual({
    x: 0,
    y: 1,
    width: 5,
    height: 3,
  });
});

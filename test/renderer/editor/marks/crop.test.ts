import { describe, expect, it } from 'vitest';
import { moveCrop, ratioOf, resizeCrop, roundedCrop, withRatio } from '#renderer/editor/marks/crop.ts';

const SIZE = { width: 400, height: 300 };
const CROP = { x: 100, y: 100, width: 200, height: 100 };

describe('a crop', () => {
  it('stays in the picture and keeps a least size', () => {
    expect(resizeCrop(CROP, 'nw', { x: -50, y: 50 }, SIZE, undefined)).toEqual({ x: 0, y: 50, width: 300, height: 150 });
    expect(resizeCrop(CROP, 'e', { x: 0, y: 0 }, SIZE, undefined)).toEqual({ x: 100, y: 100, width: 8, height: 100 });
    expect(moveCrop(CROP, { x: 900, y: -900 }, SIZE)).toEqual({ ...CROP, x: 200, y: 0 });
  });

  it('keeps its shape from every handle, inside the picture', () => {
    for (const handle of ['n', 's', 'e', 'w', 'nw', 'ne', 'sw', 'se'] as const)
      for (const to of [
        { x: 0, y: 0 },
        { x: 399, y: 299 },
        { x: 210, y: 160 },
      ]) {
        const { x, y, width, height } = resizeCrop(CROP, handle, to, SIZE, 2);
        expect(width / height).toBeCloseTo(2);
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-9);
        expect(x + width).toBeLessThanOrEqual(400 + 1e-9);
        expect(y + height).toBeLessThanOrEqual(300 + 1e-9);
      }
    // The opposite corner stays.
    const smaller = resizeCrop(CROP, 'nw', { x: 200, y: 150 }, SIZE, 2);
    expect([smaller.x + smaller.width, smaller.y + smaller.height]).toEqual([300, 200]);
  });

  it('takes the largest rectangle of a shape, as it is seen', () => {
    expect(withRatio({ x: 0, y: 0, ...SIZE }, 1)).toEqual({ x: 50, y: 0, width: 300, height: 300 });
    const seen = (upright: boolean, sideways: boolean) => ratioOf('wide', SIZE, { upright, sideways });
    expect([seen(false, false), seen(true, true)]).toEqual([16 / 9, 16 / 9]);
    expect([seen(true, false), seen(false, true)]).toEqual([9 / 16, 9 / 16]);
    expect(ratioOf('original', SIZE, { upright: true, sideways: true })).toBeCloseTo(4 / 3);
    expect(ratioOf('free', SIZE, { upright: true, sideways: true })).toBeUndefined();
  });

  it('is rounded to whole pixels that exist', () => {
    expect(roundedCrop({ x: 0.4, y: 99.6, width: 0.2, height: 200.7 }, SIZE)).toEqual({ x: 0, y: 99, width: 1, height: 201 });
  });
});

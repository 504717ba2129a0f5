import { expect, it } from 'vitest';
import { smallWidth, thumbnailWidth } from '#renderer/images/address.ts';

it.each([
  [100, 1, 120],
  [200, 1, 200],
  [210, 1, 200],
  [300, 1, 400],
  [300, 2, 800],
  [300, 3, 800],
  [5000, 1, 1600],
])('asks for the thumbnail that fills %d pixels at ratio %d: %d', (side, ratio, width) => {
  expect(thumbnailWidth(side, ratio)).toBe(width);
});

it('asks for a thumbnail with fewer pixels on a slow connection', () => {
  expect([100, 200, 267, 400, 5000].map(smallWidth)).toEqual([120, 200, 200, 400, 960]);
});

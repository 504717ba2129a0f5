import { expect, test, vi } from 'vitest';

vi.mock('electron', () => ({ screen: {}, app: {}, BrowserWindow: {}, nativeTheme: {}, shell: {} }));
const { barPlace } = await import('#main/recording/stage.ts');

const display = { bounds: { x: 1920, y: 0, width: 1920, height: 1080 }, workArea: { x: 1920, y: 40, width: 1920, height: 1000 } };
const place = (x: number, y: number, width: number, height: number) => {
  const { x: left, y: top } = barPlace(display, { x, y, width, height });
  return [left, top];
};

test('the bar is at the bottom of its display, unless that is recorded', () => {
  const { x, y, width, height } = barPlace(display, undefined);
  expect([x - 1920 + width / 2, y + height]).toEqual([960, 1024]);
  expect(place(0, 0, 1920, 900)).toEqual([x, y]);
  expect(place(600, 500, 700, 580)).toEqual([x, 56]);
  expect(place(400, 0, 1100, 1080)).toEqual([1936, y]);
  expect(place(0, 0, 1500, 1080)).toEqual([3840 - width - 16, y]);
  // There is no other place.
  expect(place(0, 0, 1920, 1080)).toEqual([x, y]);
});

import { expect, test } from 'vitest';
import { windowPlace } from '#main/windows/window-place.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const last = { x: 100, y: 50, width: 900, height: 700, maximized: false };

test('the window opens where it was', () => {
  expect(windowPlace(last, [screen])).toEqual({ x: 100, y: 50, width: 900, height: 700 });
});

test('when the screen it was on is gone, only its size is kept', () => {
  expect(windowPlace({ ...last, x: 2500 }, [screen])).toEqual({ width: 900, height: 700 });
});

test('a strip too narrow to get hold of counts as gone', () => {
  expect(windowPlace({ ...last, x: 1900 }, [screen])).toEqual({ width: 900, height: 700 });
});

test('on a second screen it is found again', () => {
  expect(windowPlace({ ...last, x: 2500 }, [screen, { ...screen, x: 1920 }])).toMatchObject({ x: 2500 });
});

test('the first start has a size and no place', () => {
  expect(windowPlace(undefined, [screen])).toEqual({ width: 1180, height: 780 });
});

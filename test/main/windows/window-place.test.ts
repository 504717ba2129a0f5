import { expect, test } from 'vitest';
import { windowPlace } from '#main/windows/window-place.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const last = { x: 100, y: 50, width: 900, height: 700, maximized: false };

test('opens the window where it was', () => {
  expect(windowPlace(last, [screen])).toEqual({ x: 100, y: 50, width: 900, height: 700 });
});

test('keeps only the size if the screen is gone', () => {
  expect(windowPlace({ ...last, x: 2500 }, [screen])).toEqual({ width: 900, height: 700 });
});

test('treats a visible strip that is too narrow to grab as gone', () => {
  expect(windowPlace({ ...last, x: 1900 }, [screen])).toEqual({ width: 900, height: 700 });
});

test('restores the window on a second screen', () => {
  expect(windowPlace({ ...last, x: 2500 }, [screen, { ...screen, x: 1920 }])).toMatchObject({ x: 2500 });
});

test('has a size but no position at the first start', () => {
  expect(windowPlace(undefined, [screen])).toEqual({ width: 1180, height: 780 });
});

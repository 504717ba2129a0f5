import { expect, it } from 'vitest';
import { timeInName } from '#main/watcher/files/file-name-dates.ts';

it.each([
  'Screenshot 2026-03-01 at 14.05.59.png',
  'Screenshot_20260301-140559.png',
  'IMG_20260301_140559.jpg',
  'PXL_20260301_140559123.jpg',
  '2026-03-01 14-05-59.png',
  'Screenshot from 2026-03-01 14-05-59.png',
])('reads the time in %s', (name) => {
  // Milliseconds follow without a separator on Google's phones, and aren't read.
  const expected = name.startsWith('PXL') ? undefined : new Date(2026, 2, 1, 14, 5, 59).getTime();
  expect(timeInName(name)).toBe(expected);
});

it.each(['photo.jpg', '20260301.jpg', 'scan 2026-02-31 10.00.00.png', '12345678901234567890.png'])('finds no time in %s', (name) => {
  expect(timeInName(name)).toBeUndefined();
});

import { expect, it } from 'vitest';
import { byteTicks } from '#renderer/features/admin/dashboard/charts.tsx';
import { formatBytes } from '#renderer/i18n/format.ts';

const MB = 1024 ** 2;

it.each([
  [0, ['0 B', '1 B']],
  [7.9 * MB, ['0 B', '2 MB', '4 MB', '6 MB', '8 MB']],
  [153 * MB, ['0 B', '50 MB', '100 MB', '150 MB', '200 MB']],
  [1000 * MB, ['0 B', '256 MB', '512 MB', '768 MB', '1 GB']],
  [1024 * MB, ['0 B', '256 MB', '512 MB', '768 MB', '1 GB']],
  [1025 * MB, ['0 B', '1 GB', '2 GB']],
  [5000 * 1024 * MB, ['0 B', '2 TB', '4 TB', '6 TB']],
])('an axis up to %d bytes has round numbers', (most, labels) => {
  const ticks = byteTicks(most);
  expect(ticks.map((bytes) => formatBytes(bytes, 'en-GB'))).toEqual(labels);
  expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
});

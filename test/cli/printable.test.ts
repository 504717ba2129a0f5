import { expect, it } from 'vitest';
import { formatBytes } from '#cli/printable.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [419.3811980254169, '419 bytes'],
  [1023.4, '1023 bytes'],
  [1023.6, '1.0 KB'],
  [1536, '1.5 KB'],
  [1024 ** 2 - 1, '1.0 MB'],
  [3 * 1024 ** 5, '3072.0 TB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown);
});

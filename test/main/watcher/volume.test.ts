import { expect, test } from 'vitest';
import { canBe } from '#main/watcher/volume.ts';

test('another drive in the place of a folder is noticed where drives have identifiers', () => {
  expect(canBe('uuid:A', 'uuid:A')).toBe(true);
  expect(canBe('uuid:A', 'uuid:B')).toBe(false);
  expect(canBe('uuid:A', undefined)).toBe(false);
  expect(canBe('folder:1:5', 'folder:2:6')).toBe(false);
  expect(canBe('folder:1:5', undefined)).toBe(true);
  expect(canBe(undefined, 'uuid:A')).toBe(true);
});

import { expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES } from '#api/desktop/preferences.ts';
import { namesInNotice, wantsNotice } from '#main/base/notifications.ts';
import { en } from '#main/texts/en.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

const names = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}.png`);

test('names up to six pictures, and of more the first five with the number of the others', () => {
  expect(namesInNotice(names(6), en.andMore)).toBe('1.png\n2.png\n3.png\n4.png\n5.png\n6.png');
  expect(namesInNotice(names(17), en.andMore)).toBe('1.png\n2.png\n3.png\n4.png\n5.png\nand 12 more');
});

test('each type can be turned off separately', () => {
  const off = { ...DEFAULT_PREFERENCES, failureNotifications: false };
  expect((['uploaded', 'failed', 'folders'] as const).filter((type) => wantsNotice(type, off))).toEqual(['uploaded', 'folders']);
  const quiet = { ...DEFAULT_PREFERENCES, notifications: false, folderNotifications: false };
  expect((['uploaded', 'failed', 'folders'] as const).filter((type) => wantsNotice(type, quiet))).toEqual(['failed']);
});

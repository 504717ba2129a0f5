import { expect, it } from 'vitest';
import { displayName } from '#server/core/images/text/display-name.ts';
import { cpuSince } from '#test/helpers/programs/cpu.ts';

it('shortens a name of any length quickly, and keeps its extension', () => {
  const before = process.cpuUsage();
  const name = displayName(`a${'\u0301\u0323'.repeat(30_000)}.jpeg`, 'picture.jpg');
  expect(cpuSince(before)).toBeLessThan(200);
  expect(name).toHaveLength(255);
  expect(name.endsWith('.jpeg')).toBe(true);
});

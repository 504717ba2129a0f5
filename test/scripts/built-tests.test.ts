import { expect, it } from 'vitest';
import { built } from '#test/helpers/service/built.ts';

it('fails a unit test that uses a built file, and names the suffix it needs', () => {
  expect(() => built('server/bin.js')).toThrow('A test that needs dist/server/bin.js must be named *.built.test.ts.');
});

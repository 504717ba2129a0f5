import { expect, it } from 'vitest';
import { built } from '#test/helpers/built.ts';

it('a unit test that asks for a built file fails with the name that it should have', () => {
  expect(() => built('server/bin.js')).toThrow('A test that needs dist/server/bin.js must be named *.built.test.ts.');
});

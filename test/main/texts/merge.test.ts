import { expect, test } from 'vitest';
import { en } from '#main/texts/en.ts';
import { merge } from '#main/texts/merge.ts';

test('two texts of the same name are an error, since only one of them would be shown', () => {
  expect(merge({ one: '1' }, { two: '2' })).toEqual({ one: '1', two: '2' });
  expect(() => merge({ later: 'Keep as draft' }, { later: 'Later' })).toThrow('later');
  expect([en.keepAsDraft, en.later]).toEqual(['Keep as draft', 'Later']);
});

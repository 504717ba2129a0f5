import { expect, it } from 'vitest';
import { createSlots } from '#server/platform/admission/slots.ts';

/** Slots whose holders are named; `ended` lists those that were taken away. */
function bench(limits: { each: number; total: number }) {
  let now = 0;
  const slots = createSlots(limits, () => now);
  const ended: string[] = [];
  const take = (holder: string | undefined, name = '') => slots.take(holder, () => ended.push(name));
  return {
    slots,
    ended,
    take,
    pass: (ms: number) => {
      now += ms;
    },
    outcome: (holder: string | undefined, name = '') => ('refused' in take(holder, name) ? 'refused' : 'taken'),
  };
}

it('limits each holder, and gives slots back once', () => {
  const { take, slots } = bench({ each: 2, total: 10 });
  const first = take('a');
  take('a');
  expect(take('a')).toEqual({ refused: 'each' });
  if ('release' in first) [first.release(), first.release()];
  expect(slots.count()).toBe(1);
  expect(take('a')).not.toHaveProperty('refused');
  expect(take('b')).not.toHaveProperty('refused');
});

it('takes the oldest slot of the largest holder away for a newcomer', () => {
  const { outcome, ended, slots } = bench({ each: 10, total: 5 });
  for (const name of ['1', '2', '3', '4']) outcome('crowd', name);
  outcome('other', 'x');
  expect([outcome('new', 'n'), ended, slots.count()]).toEqual(['taken', ['1'], 5]);
});

it('takes nothing away where that would only change who has the most', () => {
  const { outcome, take, ended } = bench({ each: 10, total: 4 });
  for (const holder of ['a', 'a', 'b', 'b']) outcome(holder);
  expect([outcome('c'), ended.length]).toEqual(['taken', 1]);
  expect(take('b')).toEqual({ refused: 'total' });
});

it('counts holders without a name in total only, and takes nothing from them', () => {
  const { take } = bench({ each: 1, total: 3 });
  for (let i = 0; i < 3; i++) expect(take(undefined)).not.toHaveProperty('refused');
  expect(take('a')).toEqual({ refused: 'total' });
});

it('takes away from the /48 that has the most, whichever of its networks they are of', () => {
  const { outcome, ended } = bench({ each: 10, total: 4 });
  for (const network of ['1', '2', '3']) outcome(`guest 8193:3512:7:${network}`, network);
  outcome('guest 192.0.2.1', 'x');
  expect([outcome('guest 192.0.2.2', 'y'), outcome('guest 8193:3512:7:4', 'z'), ended]).toEqual(['taken', 'refused', ['1']]);
});

it('takes the oldest slot away for a newcomer when everyone has one, once it was held for five seconds', () => {
  const { outcome, ended, pass } = bench({ each: 10, total: 3 });
  outcome('a', 'a');
  pass(1_000);
  for (const holder of ['b', 'c']) outcome(holder, holder);
  pass(4_000);
  expect(outcome('d', 'd')).toBe('refused');
  pass(1);
  expect([outcome('a', 'a'), outcome('d', 'd'), outcome('e', 'e'), ended]).toEqual(['refused', 'taken', 'refused', ['a']]);
});

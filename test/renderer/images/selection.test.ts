import { describe, expect, it } from 'vitest';
import {
  explicit,
  type ImageSet,
  isSelected,
  nothing,
  type Selected,
  sizeOf,
  withImages,
  withoutDay,
  withSet,
} from '#renderer/images/selection.ts';

interface Picture {
  key: string;
  day: string;
  at: string;
}

const picture = (key: string, day: string, at = '2026-11-21T10:00:00Z'): Picture => ({ key, day, at });
const belonging = { dayOf: ({ day }: Picture) => day, uploadedAt: ({ at }: Picture) => at };
const set = (count: number, day?: string): ImageSet => ({ query: { as_of: '1' }, count, until: '2026-11-21T12:00:00Z', day });
const [a, b, c] = [picture('a', 'mon'), picture('b', 'mon'), picture('c', 'tue')];
const select = (state: Selected<Picture>, some: readonly Picture[], on = true) => {
  const after = withImages(state, some, on, belonging);
  if (!after) throw new Error('too many exceptions');
  return after;
};
const chosen = (state: Selected<Picture>, some: readonly Picture[] = [a, b, c]) =>
  some.filter((each) => isSelected(state, each, belonging)).map(({ key }) => key);

describe('a selection', () => {
  it('holds single pictures', () => {
    const two = select(select(nothing<Picture>(), [a, b, c]), [b], false);
    expect([chosen(two), sizeOf(two)]).toEqual([['a', 'c'], 2]);
  });

  it('holds a whole list without some, and counts what is selected', () => {
    const all = withSet(select(nothing<Picture>(), [a]), set(3274), belonging);
    expect([chosen(all), sizeOf(all)]).toEqual([['a', 'b', 'c'], 3274]);
    const without = select(all, [b], false);
    expect([chosen(without), sizeOf(without)]).toEqual([['a', 'c'], 3273]);
    expect(sizeOf(select(without, [b]))).toBe(3274);
  });

  it('leaves out pictures uploaded after a set was counted, until they are selected themselves', () => {
    const late = picture('late', 'tue', '2026-11-21T12:00:01Z');
    const all = withSet(nothing<Picture>(), set(3), belonging);
    expect(chosen(all, [a, late])).toEqual(['a']);
    expect(sizeOf(select(all, [late]))).toBe(4);
  });

  it('adds days to single pictures of other days, and counts nothing twice', () => {
    const mixed = withSet(select(nothing<Picture>(), [a, c]), set(500, 'mon'), belonging);
    expect([chosen(mixed), sizeOf(mixed)]).toEqual([['a', 'b', 'c'], 501]);
    expect(sizeOf(withSet(mixed, set(500, 'mon'), belonging))).toBe(501);
    expect(sizeOf(withSet(mixed, set(900), belonging))).toBe(900);
  });

  it('lets go of a day, alone or out of the whole list', () => {
    const all = [a, b, c];
    const day = withSet(nothing<Picture>(), set(500, 'mon'), belonging);
    expect(sizeOf(withoutDay(select(day, [c]), 'mon', { loaded: [a, b], complete: false, all }, belonging))).toBe(1);
    const whole = withSet(nothing<Picture>(), set(900), belonging);
    const less = withoutDay(whole, 'mon', { loaded: [a, b], complete: true, all }, belonging);
    expect([chosen(less), sizeOf(less)]).toEqual([['c'], 898]);
    // No request can leave out pictures that aren't known: what is loaded stays.
    const known = withoutDay(whole, 'mon', { loaded: [a, b], complete: false, all }, belonging);
    expect([chosen(known), sizeOf(known), known.sets]).toEqual([['c'], 1, []]);
  });

  it('excepts no more pictures than a request can name', () => {
    const many = Array.from({ length: 501 }, (_, index) => picture(String(index), 'mon'));
    const whole = withSet(nothing<Picture>(), set(1000), belonging);
    expect(withImages(whole, many, false, belonging)).toBeUndefined();
    expect(sizeOf(explicit(whole, many, belonging))).toBe(501);
  });
});

import { describe, expect, it } from 'vitest';
import type { Image } from '#api/images/images.ts';
import { isLoaded, spanOfRange } from '#renderer/images/list/range.ts';
import {
  explicit,
  hasDay,
  type ImageSet,
  isSelected,
  nothing,
  type Selected,
  type Span,
  sizeOf,
  spanWith,
  withImages,
  withoutDay,
  withSet,
} from '#renderer/images/selection/selection.ts';

interface Picture {
  key: string;
  day: string;
  at: string;
}

const picture = (key: string, day: string, at = '2026-11-21T10:00:00Z'): Picture => ({ key, day, at });
/** Days are names for a date here; a picture has its key's place in it as hours. */
const DATES = { mon: '2026-11-16', tue: '2026-11-17' } as Record<string, string>;
const hour = (day: string, hours: number) => new Date(Date.parse(`${DATES[day]}T00:00:00Z`) + hours * 3_600_000).toISOString();
const spanOf = (day: string): Span => ({ from: hour(day, 0), to: hour(day, 24) });
const belonging = {
  dayOf: ({ day }: Picture) => day,
  spanOf,
  timeOf: ({ key, day }: Picture) => hour(day, 'abcdef'.indexOf(key) + 1),
  addedAt: ({ at }: Picture) => at,
};
const part = (count: number, span?: Span): ImageSet => ({ query: { as_of: '1' }, count, until: '2026-11-21T12:00:00Z', span });
const set = (count: number, day?: string): ImageSet => part(count, day === undefined ? undefined : spanOf(day));
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

  it('joins a range with the days that it meets, and selects again only what is in the range', () => {
    const day = select(withSet(nothing<Picture>(), set(500, 'mon'), belonging), [a], false);
    const range = { from: belonging.timeOf(b), to: hour('tue', 4) };
    const union = spanWith(day.sets, range);
    expect(union).toEqual({ from: hour('mon', 0), to: hour('tue', 4) });
    expect(spanWith(day.sets, spanOf('tue'))).toEqual(spanOf('tue'));
    const joined = withSet(day, part(503, union), belonging, range);
    expect([chosen(joined), sizeOf(joined), joined.sets.length]).toEqual([['b', 'c'], 502, 1]);
    expect(chosen(withSet(day, part(503, union), belonging))).toEqual(['a', 'b', 'c']);
    // A part of a day isn't the day, and no request could leave out the rest of it.
    expect([hasDay(joined, 'mon', belonging), hasDay(joined, 'tue', belonging)]).toEqual([true, false]);
    const less = withoutDay(joined, 'tue', { loaded: [c], complete: true, all: [a, b, c] }, belonging);
    expect([chosen(less), sizeOf(less)]).toEqual([['b'], 501]);
    const whole = withSet(select(withSet(nothing<Picture>(), set(900), belonging), [b, c], false), part(2, range), belonging);
    expect([chosen(whole), sizeOf(whole)]).toEqual([['a', 'b', 'c'], 900]);
  });

  it('excepts no more pictures than a request can name', () => {
    const many = Array.from({ length: 501 }, (_, index) => picture(String(index), 'mon'));
    const whole = withSet(nothing<Picture>(), set(1000), belonging);
    expect(withImages(whole, many, false, belonging)).toBeUndefined();
    expect(sizeOf(explicit(whole, many, belonging))).toBe(501);
  });
});

describe('range', () => {
  const at = (key: string, second: number) => ({ key, created_at: new Date(second * 1000).toISOString() }) as Image;
  const list = [at('a', 9), at('b', 7), at('c', 7), at('d', 5), at('e', 3), at('f', 3), at('g', 1)];
  const images = {
    count: list.length,
    at: (index: number) => list[index],
    find: (key: string) => list.findIndex((image) => image.key === key),
  };
  const [, , c, , e] = list as [Image, Image, Image, Image, Image];

  it('spans the time between two images, without those beside them of the same time', () => {
    const range = spanOfRange([e, c], { first: 2, last: 4 }, images, 'uploaded_desc');
    expect(range.span).toEqual({ from: '1970-01-01T00:00:03.000Z', to: '1970-01-01T00:00:07.001Z' });
    expect(range.beside.map(({ key }) => key)).toEqual(['b', 'f']);
  });

  it('knows whether a range is loaded', () => {
    const page = (loaded: boolean) => ({ after: undefined, until: undefined, loaded, items: [], ratios: [], days: [], hashes: undefined });
    const pages = [page(true), page(false), page(true)];
    const starts = [0, 100, 200];
    expect(isLoaded(pages, starts, { first: 0, last: 99 })).toBe(true);
    expect(isLoaded(pages, starts, { first: 99, last: 250 })).toBe(false);
    expect(isLoaded(pages, starts, { first: 200, last: 250 })).toBe(true);
  });
});

import { MAX_BATCH } from '#api/constants.ts';
import type { RouteInput } from '#api/contract.ts';
import type { batchImages } from '#api/images/changes.ts';

export interface Keyed {
  key: string;
}

type BatchQuery = NonNullable<Extract<RouteInput<typeof batchImages>['body'], { action: 'trash' }>['query']>;

/** A part of a list that is sorted by a date: from one instant until before another one. */
export interface Span {
  from: string;
  to: string;
}

/** Everything in a list, loaded or not; with `span`, everything in that part of it. */
export interface ImageSet {
  /** The list's filters for a batch, with the moment up to which uploads belong to the set. */
  query: BatchQuery & { as_of: string };
  count: number;
  /** In the trash, how many of them have expired. */
  expired?: number | undefined;
  /** Images added to the list after this instant aren't part of it. */
  until: string;
  span?: Span | undefined;
}

/** What is selected: single images, and sets without some of their images. No image is in it twice, since no two spans meet. */
export interface Selected<T extends Keyed> {
  images: ReadonlyMap<string, T>;
  sets: readonly ImageSet[];
  except: ReadonlyMap<string, T>;
}

/** Finds out which sets an image belongs to. */
export interface Belonging<T> {
  dayOf(image: T): string;
  spanOf(day: string): Span;
  /** The time that the list is sorted by. */
  timeOf(image: T): string;
  /** When it was uploaded or, in the trash, deleted. */
  addedAt(image: T): string;
}

const contains = ({ from, to }: Span, time: string) => Date.parse(from) <= Date.parse(time) && Date.parse(time) < Date.parse(to);
const meet = (one: Span, other: Span) => Date.parse(one.from) < Date.parse(other.to) && Date.parse(other.from) < Date.parse(one.to);
const covers = (set: ImageSet, { from, to }: Span) =>
  set.span === undefined || (Date.parse(set.span.from) <= Date.parse(from) && Date.parse(to) <= Date.parse(set.span.to));

/** A span with the sets that it meets, which become one set with it. */
export function spanWith(sets: readonly ImageSet[], span: Span): Span {
  const met = sets.flatMap((set) => (set.span && meet(set.span, span) ? [set.span] : []));
  const [from, to] = [[span, ...met].map(({ from: each }) => Date.parse(each)), [span, ...met].map(({ to: each }) => Date.parse(each))];
  return { from: new Date(Math.min(...from)).toISOString(), to: new Date(Math.max(...to)).toISOString() };
}

export const nothing = <T extends Keyed>(): Selected<T> => ({ images: new Map(), sets: [], except: new Map() });

export const sizeOf = <T extends Keyed>({ images, sets, except }: Selected<T>) =>
  images.size + sets.reduce((sum, { count }) => sum + count, 0) - except.size;

/** Whether a set contains an image, selected or excepted. */
function isInSet<T extends Keyed>({ sets }: Selected<T>, image: T, belonging: Belonging<T>): boolean {
  return sets.some(
    ({ span, until }) =>
      (span === undefined || contains(span, belonging.timeOf(image))) && Date.parse(belonging.addedAt(image)) <= Date.parse(until),
  );
}

export function isSelected<T extends Keyed>(selected: Selected<T>, image: T, belonging: Belonging<T>): boolean {
  return selected.images.has(image.key) || (!selected.except.has(image.key) && isInSet(selected, image, belonging));
}

/** Selects or deselects images. Sets can except as many as a request can name; beyond that, it returns undefined. */
export function withImages<T extends Keyed>(
  selected: Selected<T>,
  some: readonly T[],
  on: boolean,
  belonging: Belonging<T>,
): Selected<T> | undefined {
  const images = new Map(selected.images);
  const except = new Map(selected.except);
  for (const image of some) {
    if (isInSet(selected, image, belonging)) {
      if (on) except.delete(image.key);
      else except.set(image.key, image);
    } else if (on) images.set(image.key, image);
    else images.delete(image.key);
  }
  return except.size > MAX_BATCH ? undefined : { images, sets: selected.sets, except };
}

/**
 * Adds a set, which takes the place of those that it meets. The single images that it covers are part of it.
 * @param added the part of it that wasn't selected before, in which everything is selected; by default all of it
 */
export function withSet<T extends Keyed>(selected: Selected<T>, set: ImageSet, belonging: Belonging<T>, added = set.span): Selected<T> {
  const outside = (images: ReadonlyMap<string, T>, other: ImageSet) =>
    new Map([...images].filter(([, image]) => !isInSet({ ...nothing<T>(), sets: [other] }, image, belonging)));
  const except = outside(selected.except, { ...set, span: added });
  if (set.span === undefined) return { images: outside(selected.images, set), sets: [set], except: new Map() };
  if (selected.sets.some(({ span }) => span === undefined)) return { ...selected, except };
  const { span } = set;
  const others = selected.sets.filter((each) => each.span && !meet(each.span, span));
  return { images: outside(selected.images, set), sets: [...others, set], except };
}

/**
 * Deselects a day. `loaded` are its loaded images; with `complete`, there are no others. If others are part of a larger set, no request could
 * leave them out: only the images of `all` that are loaded, without the day, stay selected.
 */
export function withoutDay<T extends Keyed>(
  selected: Selected<T>,
  day: string,
  { loaded, complete, all }: { loaded: readonly T[]; complete: boolean; all: readonly T[] },
  belonging: Belonging<T>,
): Selected<T> {
  const span = belonging.spanOf(day);
  const outside = (images: ReadonlyMap<string, T>) => new Map([...images].filter(([, image]) => belonging.dayOf(image) !== day));
  const sets = selected.sets.filter((set) => !(set.span && covers({ ...set, span }, set.span)));
  const rest = { images: outside(selected.images), sets, except: outside(selected.except) };
  if (!sets.some((set) => set.span === undefined || meet(set.span, span))) return rest;
  const without = complete ? withImages(rest, loaded, false, belonging) : undefined;
  return (
    without ??
    explicit(
      selected,
      all.filter((image) => belonging.dayOf(image) !== day),
      belonging,
    )
  );
}

/** Whether a set has all of a day. */
export const hasDay = <T extends Keyed>({ sets }: Selected<T>, day: string, belonging: Belonging<T>) =>
  sets.some((set) => covers(set, belonging.spanOf(day)));

/** The selected ones among loaded images, without sets. */
export function explicit<T extends Keyed>(selected: Selected<T>, all: readonly T[], belonging: Belonging<T>): Selected<T> {
  const images = all.filter((image) => isSelected(selected, image, belonging));
  return { ...nothing<T>(), images: new Map(images.map((image) => [image.key, image])) };
}

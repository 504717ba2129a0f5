import { MAX_BATCH } from '#api/constants.ts';
import type { RouteInput } from '#api/contract.ts';
import type { batchImages } from '#api/image-changes.ts';

export interface Keyed {
  key: string;
}

type BatchQuery = NonNullable<Extract<RouteInput<typeof batchImages>['body'], { action: 'trash' }>['query']>;

/** Everything in a list, loaded or not; with `day`, everything under that day. */
export interface ImageSet {
  /** The list's filters for a batch, with the moment up to which uploads belong to the set. */
  query: BatchQuery & { as_of: string };
  count: number;
  /** Images uploaded after this instant aren't part of it. */
  until: string;
  day?: string | undefined;
}

/** What is selected: single images, and sets without some of their images. No image is in it twice. */
export interface Selected<T extends Keyed> {
  images: ReadonlyMap<string, T>;
  sets: readonly ImageSet[];
  except: ReadonlyMap<string, T>;
}

/** Finds out which sets an image belongs to. */
export interface Belonging<T> {
  dayOf(image: T): string;
  uploadedAt(image: T): string;
}

export const nothing = <T extends Keyed>(): Selected<T> => ({ images: new Map(), sets: [], except: new Map() });

export const sizeOf = <T extends Keyed>({ images, sets, except }: Selected<T>) =>
  images.size + sets.reduce((sum, { count }) => sum + count, 0) - except.size;

/** Whether a set contains an image, selected or excepted. */
function isInSet<T extends Keyed>({ sets }: Selected<T>, image: T, belonging: Belonging<T>): boolean {
  return sets.some(
    ({ day, until }) =>
      (day === undefined || day === belonging.dayOf(image)) && Date.parse(belonging.uploadedAt(image)) <= Date.parse(until),
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

/** Adds a set. The single images and exceptions that it covers are part of it. */
export function withSet<T extends Keyed>(selected: Selected<T>, set: ImageSet, belonging: Belonging<T>): Selected<T> {
  const alone = { ...nothing<T>(), sets: [set] };
  const outside = (images: ReadonlyMap<string, T>) => new Map([...images].filter(([, image]) => !isInSet(alone, image, belonging)));
  if (set.day === undefined) return { images: outside(selected.images), sets: [set], except: new Map() };
  if (selected.sets.some(({ day }) => day === undefined)) return { ...selected, except: outside(selected.except) };
  const others = selected.sets.filter(({ day }) => day !== set.day);
  return { images: outside(selected.images), sets: [...others, set], except: outside(selected.except) };
}

/**
 * Deselects a day. `loaded` are its loaded images; with `complete`, there are no others. If others are part of a whole list, no request could
 * leave them out: only the images of `all` that are loaded, without the day, stay selected.
 */
export function withoutDay<T extends Keyed>(
  selected: Selected<T>,
  day: string,
  { loaded, complete, all }: { loaded: readonly T[]; complete: boolean; all: readonly T[] },
  belonging: Belonging<T>,
): Selected<T> {
  const outside = (images: ReadonlyMap<string, T>) => new Map([...images].filter(([, image]) => belonging.dayOf(image) !== day));
  const sets = selected.sets.filter((set) => set.day !== day);
  const rest = { images: outside(selected.images), sets, except: outside(selected.except) };
  if (!sets.some((set) => set.day === undefined)) return rest;
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

/** The selected ones among loaded images, without sets. */
export function explicit<T extends Keyed>(selected: Selected<T>, all: readonly T[], belonging: Belonging<T>): Selected<T> {
  const images = all.filter((image) => isSelected(selected, image, belonging));
  return { ...nothing<T>(), images: new Map(images.map((image) => [image.key, image])) };
}

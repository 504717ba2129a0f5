import { useCallback, useMemo, useState } from 'react';
import {
  type Belonging,
  explicit,
  hasDay,
  type ImageSet,
  isSelected,
  type Keyed,
  nothing,
  type Selected,
  type Span,
  sizeOf,
  withImages,
  withoutDay,
  withSet,
} from './selection.ts';

/** A day of a list, as far as it is loaded. */
export interface LoadedDay<T> {
  day: string;
  images: readonly T[];
  /** Whether these are all of the day's images. */
  complete: boolean;
}

export interface Selection<T extends Keyed> extends Selected<T> {
  readonly size: number;
  has(image: T): boolean;
  /** Selects or deselects an image, which becomes the start of ranges. */
  toggle(image: T): void;
  /** Selects from the start of the range to this image, both included. */
  extendTo(image: T): void;
  /** Selects images. */
  add(images: readonly T[]): void;
  /** Selects images, or deselects them where all of them are selected. */
  toggleAll(images: readonly T[]): void;
  /** Returns a function that selects these images in addition to those selected before, whatever it was called with last. */
  begin(): (images: readonly T[]) => void;
  /** Adds a set, of which all images in `added` and none of `without` are selected. */
  selectSet(set: ImageSet, added?: Span, without?: readonly T[]): void;
  /** Whether all, some or none of a day are selected. */
  stateOfDay(day: LoadedDay<T>): 'all' | 'some' | 'none';
  /** Deselects a day that is wholly selected, and selects any other. */
  toggleDay(day: LoadedDay<T>): void;
  remove(keys: Iterable<string>): void;
  clear(): void;
}

interface Options<T> {
  belonging?: Belonging<T>;
  /** Selects the images of a day that aren't loaded. */
  onWholeDay?: (day: string) => void;
  /** Selects a range if some of its images aren't loaded, and returns whether it does. */
  onFarRange?: (from: T, to: T) => boolean;
}

const nowhere: Belonging<unknown> = { dayOf: () => '', spanOf: () => ({ from: '', to: '' }), timeOf: () => '', addedAt: () => '' };

/** What is selected in a list, kept by key so that it survives changes to the list. `all` is the order that ranges follow. */
export function useSelection<T extends Keyed>(
  all: readonly T[],
  { belonging = nowhere, onWholeDay, onFarRange }: Options<T> = {},
): Selection<T> {
  const [selected, setSelected] = useState<Selected<T>>(nothing);
  const [anchor, setAnchor] = useState<T>();

  const set = useCallback(
    (images: readonly T[], on: boolean | ((before: Selected<T>) => boolean)) =>
      setSelected((before) => {
        const select = typeof on === 'boolean' ? on : on(before);
        const after = withImages(before, images, select, belonging);
        if (after) return after;
        // Too many exceptions for one request: from here on, only what is loaded is selected.
        const loaded = explicit(before, all, belonging);
        return withImages(loaded, images, select, belonging) ?? loaded;
      }),
    [all, belonging],
  );

  const toggle = useCallback(
    (image: T) => {
      set([image], (before) => !isSelected(before, image, belonging));
      setAnchor(image);
    },
    [set, belonging],
  );

  const extendTo = useCallback(
    (image: T) => {
      if (anchor && onFarRange?.(anchor, image)) return;
      const to = all.indexOf(image);
      const start = all.findIndex(({ key }) => key === anchor?.key);
      const from = start < 0 ? to : start;
      set(all.slice(Math.min(from, to), Math.max(from, to) + 1), true);
      if (start < 0) setAnchor(image);
    },
    [all, anchor, onFarRange, set],
  );

  const add = useCallback((some: readonly T[]) => set(some, true), [set]);

  const toggleAll = useCallback(
    (some: readonly T[]) => set(some, (before) => !some.every((image) => isSelected(before, image, belonging))),
    [set, belonging],
  );

  const begin = useCallback(
    () => (images: readonly T[]) => setSelected(withImages(selected, images, true, belonging) ?? selected),
    [selected, belonging],
  );

  const selectSet = useCallback(
    (imageSet: ImageSet, added = imageSet.span, without: readonly T[] = []) =>
      setSelected((before) => {
        const after = withSet(before, imageSet, belonging, added);
        return (
          withImages(
            after,
            without.filter((image) => !isSelected(before, image, belonging)),
            false,
            belonging,
          ) ?? after
        );
      }),
    [belonging],
  );

  const stateOfDay = useCallback(
    ({ day, images, complete }: LoadedDay<T>) => {
      const chosen = images.filter((image) => isSelected(selected, image, belonging)).length;
      if (chosen === 0) return 'none';
      const covered = complete || hasDay(selected, day, belonging);
      return covered && chosen === images.length ? 'all' : 'some';
    },
    [selected, belonging],
  );

  const toggleDay = useCallback(
    (day: LoadedDay<T>) => {
      if (stateOfDay(day) === 'all') {
        setSelected((before) => withoutDay(before, day.day, { loaded: day.images, complete: day.complete, all }, belonging));
        return;
      }
      set(day.images, true);
      if (!day.complete) onWholeDay?.(day.day);
    },
    [stateOfDay, set, all, belonging, onWholeDay],
  );

  const remove = useCallback((keys: Iterable<string>) => {
    const gone = new Set(keys);
    setSelected((before) => ({ ...before, images: new Map([...before.images].filter(([key]) => !gone.has(key))) }));
  }, []);

  const clear = useCallback(() => {
    setSelected(nothing());
    setAnchor(undefined);
  }, []);

  const has = useCallback((image: T) => isSelected(selected, image, belonging), [selected, belonging]);

  return useMemo(
    () => ({
      ...selected,
      size: sizeOf(selected),
      has,
      toggle,
      extendTo,
      add,
      toggleAll,
      begin,
      selectSet,
      stateOfDay,
      toggleDay,
      remove,
      clear,
    }),
    [selected, has, toggle, extendTo, add, toggleAll, begin, selectSet, stateOfDay, toggleDay, remove, clear],
  );
}

import { useCallback, useMemo, useState } from 'react';

interface Keyed {
  key: string;
}

export interface Selection<T extends Keyed> {
  readonly images: ReadonlyMap<string, T>;
  /** Selects or deselects an image, which becomes the start of ranges. */
  toggle(image: T): void;
  /** Selects from the start of the range to this image, both included. */
  extendTo(image: T): void;
  /** Selects images, or deselects them where all of them are selected. */
  toggleAll(images: readonly T[]): void;
  remove(keys: Iterable<string>): void;
  clear(): void;
}

/** The selected images, kept by key so that the selection survives changes to the list. `all` is the order that ranges follow. */
export function useSelection<T extends Keyed>(all: readonly T[]): Selection<T> {
  const [images, setImages] = useState<ReadonlyMap<string, T>>(new Map());
  const [anchor, setAnchor] = useState<string>();

  const toggle = useCallback((image: T) => {
    setImages((before) => {
      const after = new Map(before);
      if (!after.delete(image.key)) after.set(image.key, image);
      return after;
    });
    setAnchor(image.key);
  }, []);

  const extendTo = useCallback(
    (image: T) => {
      const to = all.indexOf(image);
      const start = all.findIndex(({ key }) => key === anchor);
      const from = start < 0 ? to : start;
      const range = all.slice(Math.min(from, to), Math.max(from, to) + 1);
      setImages((before) => new Map([...before, ...range.map((each) => [each.key, each] as const)]));
      if (start < 0) setAnchor(image.key);
    },
    [all, anchor],
  );

  const toggleAll = useCallback((some: readonly T[]) => {
    setImages((before) => {
      const after = new Map(before);
      const allOn = some.every(({ key }) => before.has(key));
      for (const image of some) {
        if (allOn) after.delete(image.key);
        else after.set(image.key, image);
      }
      return after;
    });
  }, []);

  const remove = useCallback((keys: Iterable<string>) => {
    setImages((before) => {
      const after = new Map(before);
      for (const key of keys) after.delete(key);
      return after;
    });
  }, []);

  const clear = useCallback(() => {
    setImages(new Map());
    setAnchor(undefined);
  }, []);

  return useMemo(() => ({ images, toggle, extendTo, toggleAll, remove, clear }), [images, toggle, extendTo, toggleAll, remove, clear]);
}

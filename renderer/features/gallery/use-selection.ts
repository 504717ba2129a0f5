import { useCallback, useMemo, useState } from 'react';
import type { Image } from '#api/images.ts';

export interface Selection {
  readonly images: ReadonlyMap<string, Image>;
  /** Turns one picture on or off; it becomes the start of ranges. */
  toggle(image: Image): void;
  /** Selects from the start of the range to here, both included. */
  extendTo(image: Image): void;
  /** Turns several on; or off, when all of them are on. */
  toggleAll(images: readonly Image[]): void;
  remove(keys: Iterable<string>): void;
  clear(): void;
}

/** The selected pictures. Kept by key, so that it survives pictures coming and going; `all` is the order that ranges go by. */
export function useSelection(all: readonly Image[]): Selection {
  const [images, setImages] = useState<ReadonlyMap<string, Image>>(new Map());
  const [anchor, setAnchor] = useState<string>();

  const toggle = useCallback((image: Image) => {
    setImages((before) => {
      const after = new Map(before);
      if (!after.delete(image.key)) after.set(image.key, image);
      return after;
    });
    setAnchor(image.key);
  }, []);

  const extendTo = useCallback(
    (image: Image) => {
      const to = all.indexOf(image);
      const start = all.findIndex(({ key }) => key === anchor);
      const from = start < 0 ? to : start;
      const range = all.slice(Math.min(from, to), Math.max(from, to) + 1);
      setImages((before) => new Map([...before, ...range.map((each) => [each.key, each] as const)]));
      if (start < 0) setAnchor(image.key);
    },
    [all, anchor],
  );

  const toggleAll = useCallback((some: readonly Image[]) => {
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

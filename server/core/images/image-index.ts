import { LRUCache } from 'lru-cache';
import type { Database } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { findImageByKey } from './images.ts';

/** Images by key, cached: every direct link needs one (decision 056). Code that changes an image must forget it here afterwards. */
export interface ImageIndex {
  find(key: string): Promise<ImageRow | undefined>;
  forget(key: string): void;
  clear(): void;
}

const MAX_IMAGES = 20_000;
const KEY = /^[0-9A-Za-z]{12}$/;

export function createImageIndex(db: Database): ImageIndex {
  const known = new LRUCache<string, ImageRow>({ max: MAX_IMAGES });
  let changes = 0;
  return {
    async find(key) {
      if (!KEY.test(key)) return undefined;
      const cached = known.get(key);
      if (cached) return cached;
      const before = changes;
      const row = await findImageByKey(db.read, key);
      // A row read before a change must not be remembered after it.
      if (row && before === changes) known.set(key, row);
      return row;
    },
    forget(key) {
      changes++;
      known.delete(key);
    },
    clear() {
      changes++;
      known.clear();
    },
  };
}

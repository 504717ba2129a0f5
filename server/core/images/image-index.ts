import { slugProblem, toSlug } from '#api/images/slug-rules.ts';
import { recentCache } from '#server/platform/base/recent-cache.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { findImageByKey, findImageBySlug } from './images.ts';

/** Images by key or custom address, cached: every direct link needs one (decision 056). It follows all commits of this process. */
export interface ImageIndex {
  /** @param place a key, or a custom address, in upper or lower case */
  find(place: string): Promise<ImageRow | undefined>;
  /** The image with a key, if it is in memory. */
  peek(key: string): ImageRow | undefined;
}

const MAX_IMAGES = 20_000;
const KEY = /^[0-9A-Za-z]{12}$/;

export function createImageIndex(db: Database): ImageIndex {
  return db.isShared ? readThrough(db) : remembering(db);
}

/** Keeps nothing: a picture that another service makes private must be refused at the next request. */
function readThrough({ read }: Database): ImageIndex {
  return {
    async find(place) {
      if (KEY.test(place)) return findImageByKey(read, place);
      const slug = toSlug(place);
      return slugProblem(slug) === 'malformed' ? undefined : findImageBySlug(read, slug);
    },
    peek: () => undefined,
  };
}

function remembering(db: Database): ImageIndex {
  const known = recentCache<ImageRow>(MAX_IMAGES);
  let changes = 0;
  /** The keys behind custom addresses; the row says whether one still has its address. */
  const keys = recentCache<string>(MAX_IMAGES);

  async function findByKey(key: string): Promise<ImageRow | undefined> {
    const cached = known.get(key);
    if (cached) return cached;
    const before = changes;
    const row = await findImageByKey(db.read, key);
    // A row read before a change must not be remembered after it.
    if (row && before === changes) known.set(key, row);
    return row;
  }

  async function findBySlug(slug: string): Promise<ImageRow | undefined> {
    const key = keys.get(slug);
    const likely = key === undefined ? undefined : await findByKey(key);
    if (likely?.slug === slug) return likely;
    const before = changes;
    const row = await findImageBySlug(db.read, slug);
    if (!row || before !== changes) return row;
    keys.set(slug, row.key);
    known.set(row.key, row);
    return row;
  }

  db.onImagesChanged((changed) => {
    changes++;
    if (changed) for (const key of changed) known.delete(key);
    else known.clear();
  });

  return {
    async find(place) {
      if (KEY.test(place)) return findByKey(place);
      const slug = toSlug(place);
      return slugProblem(slug) === 'malformed' ? undefined : findBySlug(slug);
    },
    peek: (key) => known.get(key),
  };
}

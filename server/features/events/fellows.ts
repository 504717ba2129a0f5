import { sql } from 'kysely';
import { joinedAlbums } from '#server/core/albums/members.ts';
import type { Database } from '#server/platform/db/database.ts';

/** Which users share albums with each other, so that most changes of others need no query. */
export interface Fellows {
  /** Whether a change to another user's pictures or albums may concern a user; false only if it doesn't. */
  mayShare(userId: number, otherId: number): boolean;
  /** Whether two users take part in the same album. */
  doShare(userId: number, otherId: number): Promise<boolean>;
  /** The albums that a user takes part in, of those whose ids, or whose pictures' keys, are among `keys`. */
  sharedAlbums(userId: number, keys: readonly string[]): Promise<string[]>;
  /** Forgets who shares albums: memberships have changed. */
  forget(): void;
}

/** Keys in one query. */
const KEYS_AT_ONCE = 500;

export function createFellows({ read }: Pick<Database, 'read'>): Fellows {
  let known = new Map<number, ReadonlySet<number>>();

  /** What was read before a change must not be remembered after it. */
  async function remember(userId: number): Promise<ReadonlySet<number>> {
    const current = known;
    const fellows = current.get(userId) ?? (await fellowsOf(userId));
    current.set(userId, fellows);
    return fellows;
  }

  async function fellowsOf(userId: number): Promise<ReadonlySet<number>> {
    const albums = joinedAlbums(read, userId).clearSelect().select('albums.id');
    const owners = await read.selectFrom('albums').select('owner_id as id').where('albums.id', 'in', albums).distinct().execute();
    const members = await read.selectFrom('album_members').select('user_id as id').where('album_id', 'in', albums).distinct().execute();
    return new Set([...owners, ...members].map(({ id }) => id));
  }

  async function among(userId: number, keys: readonly string[]): Promise<string[]> {
    const joined = joinedAlbums(read, userId).clearSelect().select('albums.id');
    const named = await joined.where('albums.id', 'in', keys).execute();
    const holding = await read
      .selectFrom('images')
      .innerJoin('album_images', 'album_images.image_id', 'images.id')
      .select('album_images.album_id as id')
      .where('images.key', 'in', keys)
      .where(sql<boolean>`album_images.album_id in (${joined})`)
      .distinct()
      .execute();
    return [...named, ...holding].map(({ id }) => id);
  }

  return {
    mayShare: (userId, otherId) => known.get(userId)?.has(otherId) ?? true,
    doShare: async (userId, otherId) => (await remember(userId)).has(otherId),
    async sharedAlbums(userId, keys) {
      await remember(userId);
      const albums = new Set<string>();
      for (let from = 0; from < keys.length; from += KEYS_AT_ONCE)
        for (const id of await among(userId, keys.slice(from, from + KEYS_AT_ONCE))) albums.add(id);
      return [...albums];
    },
    forget() {
      known = new Map();
    },
  };
}

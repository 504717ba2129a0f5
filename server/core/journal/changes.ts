import type { EventKind } from '#api/events.ts';
import { announce, type Database, type Queries } from '#server/platform/db/database.ts';

/** What clients with an open stream of events are told of (decision 130). */
export interface Change {
  kind: EventKind;
  /** The account whose pictures or albums they are; null: admins, of jobs. */
  ownerId: number | null;
  /** Keys of images, ids of albums, or names of jobs. */
  keys: readonly string[];
}

/** Jobs whose progress admins can follow. */
export type FollowedJob = 'backup' | 'deletion' | 'move';

const PREFIX = 'change';
/** Keeps an announcement below its 7,000 bytes. */
const KEYS_AT_ONCE = 400;
/** A unit that changes more of one account's images has its clients read everything again. */
const MAX_KEYS = 1_000;

/** Tells clients of images that a unit creates, changes, or takes out of their owners' lists. */
export function tellImages(queries: Queries, kind: `image.${'created' | 'changed' | 'deleted'}`, images: readonly Owned[]): void {
  tellOwners(queries, kind, images, ({ key = '' }) => key);
}

/** Tells clients of albums that a unit creates, changes or deletes. */
export function tellAlbums(queries: Queries, albums: readonly Owned[]): void {
  tellOwners(queries, 'album.changed', albums, ({ id }) => String(id));
}

/** An image or an album. */
interface Owned {
  id?: number | string;
  key?: string;
  /** Null: a guest's, who has no list to follow. */
  owner_id: number | null;
}

function tellOwners(queries: Queries, kind: EventKind, all: readonly Owned[], nameOf: (one: Owned) => string) {
  for (const [ownerId, some] of Map.groupBy(all, ({ owner_id }) => owner_id))
    if (ownerId !== null) tell(queries, kind, ownerId, some.map(nameOf));
}

/** Tells admins that a job has made progress, in a unit of writing. */
export function tellProgress(queries: Queries, job: FollowedJob): void {
  tell(queries, 'job.changed', null, [job]);
}

function tell(queries: Queries, kind: EventKind, ownerId: number | null, keys: readonly string[]) {
  if (keys.length > MAX_KEYS) return announce(queries, `${PREFIX} resync ${ownerId ?? ''}`);
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE)
    announce(queries, [PREFIX, kind, ownerId ?? '', ...keys.slice(from, from + KEYS_AT_ONCE)].join(' '));
}

/** Calls `listener` with every change that this service or another one has committed, and with undefined whenever some may have been missed. */
export function onChange(db: Database, listener: (change: Change | undefined) => void): void {
  db.onAnnouncement((message) => {
    if (message === undefined) return listener(undefined);
    const [prefix, kind, owner, ...keys] = message.split(' ');
    if (prefix === PREFIX) listener({ kind: kind as EventKind, ownerId: owner ? Number(owner) : null, keys });
  }, 'all');
}

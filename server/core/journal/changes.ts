import type { EventKind } from '#api/events.ts';
import { announce, type Database, type Queries } from '#server/platform/db/database.ts';

/** What clients with an open stream of events are told of (decision 130). */
export interface LibraryChange {
  kind: EventKind;
  /** The account whose pictures or albums they are; null: admins, of jobs. */
  ownerId: number | null;
  /** Keys of images, ids of albums, of batches that were received or of what was sent, or names of jobs. */
  keys: readonly string[];
}

/** Jobs whose progress admins can follow. */
export type FollowedJob = 'backup' | 'deletion' | 'import' | 'move';

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

/** Tells the clients of a request link's owner that a sender's batch is complete. */
export function tellReceived(queries: Queries, { owner_id }: { owner_id: number }, batch: number): void {
  tell(queries, 'request.received', owner_id, [String(batch)]);
}

/** Tells the clients of users of what was sent: that it is there (`sent.received`), or that it has been seen or removed. */
export function tellSent(
  queries: Queries,
  kind: 'sent.received' | 'sent.changed',
  sent: readonly { user_id: number; sending_id: string }[],
): void {
  for (const [userId, some] of Map.groupBy(sent, ({ user_id }) => user_id))
    tell(
      queries,
      kind,
      userId,
      some.map(({ sending_id }) => sending_id),
    );
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

/** The first word of an announcement of changed memberships. */
const MEMBERS = 'members';

/** A user's place among the members of an album. */
interface Membership {
  album_id: string;
  user_id: number;
}

/** Tells users of albums that they have joined, or whose members they are no longer, in a unit of writing. The streams of the latter end. */
export function tellMembers(queries: Queries, members: readonly Membership[], { left }: { left: boolean }): void {
  for (const { album_id, user_id } of members) tell(queries, 'album.changed', user_id, [album_id]);
  tellShared(queries, [...new Set(members.map(({ user_id }) => user_id))], { left });
}

/** Tells clients that what is shared with users has changed, such as for a new account by what is shared with everyone, in a unit of writing. */
export function tellShared(queries: Queries, users: readonly number[], { left }: { left: boolean }): void {
  for (let from = 0; from < users.length; from += KEYS_AT_ONCE)
    announce(queries, [MEMBERS, left ? 'left' : 'joined', ...users.slice(from, from + KEYS_AT_ONCE)].join(' '));
}

/** Calls `listener` whenever members of albums may have changed, with the users who have left some. */
export function onMembers(db: Database, listener: (left: ReadonlySet<number>) => void): void {
  db.onAnnouncement((message) => {
    if (message === undefined) return listener(new Set());
    const [prefix, change, ...users] = message.split(' ');
    if (prefix === MEMBERS) listener(new Set(change === 'left' ? users.map(Number) : []));
  }, 'durable');
}

/** Calls `listener` with every change that this service or another one has committed, and with undefined whenever some may have been missed. */
export function onChange(db: Database, listener: (change: LibraryChange | undefined) => void): void {
  db.onAnnouncement((message) => {
    if (message === undefined) return listener(undefined);
    const [prefix, kind, owner, ...keys] = message.split(' ');
    if (prefix === PREFIX) listener({ kind: kind as EventKind, ownerId: owner ? Number(owner) : null, keys });
  }, 'durable');
}

import type { Response } from 'express';
import { sql } from 'kysely';
import { MINUTE_MS } from '#api/durations.ts';
import type { EventKind } from '#api/events.ts';
import type { Member } from '#server/core/accounts/actor.ts';
import { userStillBehind } from '#server/core/accounts/authorize.ts';
import { joinedAlbums, peopleIn } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { type LibraryChange, onChange, onMembers } from '#server/core/journal/changes.ts';
import { createSlots } from '#server/platform/admission/slots.ts';
import { BusyError, tooManyRequests } from '#server/platform/base/errors.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Opaque } from '#server/platform/config/opaque.ts';
import type { Database } from '#server/platform/db/database.ts';
import { createStream, NOTICES, type Stream } from './stream.ts';

/** Each user's tabs share one stream, so that ten are as many browsers. All together leave half of the connections to requests. */
const LIMITS = { each: 10, total: 1_000 };
const HEARTBEAT_MS = 20_000;
/** How soon a stream ends after the session, token or account behind it. Nothing is sent meanwhile: each event is checked. */
const CHECK_MS = 2_000;
/** Milliseconds after which a client whose stream has ended connects again. */
const RECONNECT_MS = 2_000;
/** When a client with too many streams should try again. */
const BUSY_MS = 60_000;

/** The open streams of this service. */
export interface Streams {
  /**
   * Begins to write events to a response; it ends with the session or token of `member`.
   * @param after the last event that the client has received
   * @throws RequestError when the user has too many streams, or the service is stopping
   */
  open(response: Response, member: Member, after: string | undefined): void;
  /** Ends all streams, and refuses new ones. */
  close(): void;
}

/** Ends a stream, at once if its client doesn't read. */
const end = (response: Response) => void (response.writableNeedDrain ? response.destroy() : response.end());

interface Open {
  member: Member;
  response: Response;
  stream: Stream;
}

export function createStreams({ db, metrics, opaque, presence }: Pick<Context, 'db' | 'metrics' | 'opaque' | 'presence'>): Streams {
  const history = createHistory(opaque);
  const slots = createSlots(LIMITS);
  const fellows = createFellows(db);
  const all = new Set<Open>();
  let isClosed = false;
  metrics.gauge('pixdock_event_streams', 'Open streams of events', slots.count);

  onChange(db, (committed) => {
    const change = committed && withOpaqueKeys(committed, opaque);
    const number = history.add(change);
    for (const one of all) tell(one, change, number);
  });
  onMembers(db, (left) => {
    fellows.forget();
    for (const { member, response } of all) if (left.has(member.user.id)) end(response);
  });

  const every = (ms: number, run: (one: Open) => unknown) => setInterval(() => all.forEach(run), ms).unref();
  const heartbeats = every(HEARTBEAT_MS, ({ stream }) => stream.heartbeat());
  const checks = every(CHECK_MS, ({ member, response }) => void endUnlessValid(member, response));

  function tell({ member, response, stream }: Open, change: LibraryChange | undefined, number: number) {
    if (!change) return stream.add(change, number);
    const { kind, ownerId } = change;
    // A device's token gives access to nothing else.
    if (member.scope === 'device' && !NOTICES.includes(kind)) return;
    if (isFor(change, member)) return stream.add(change, number);
    if (ownerId === null || !isOfAlbums(kind) || !fellows.mayShare(member.user.id, ownerId)) return;
    if (kind !== 'resync') return stream.addOfOther(change, number);
    // More changes of one account than are named one by one.
    const sharing = fellows.doShare(member.user.id, ownerId);
    void sharing.then((share) => share && stream.add(undefined, number)).catch(() => end(response));
  }

  /** Reads nothing while nothing has been written. */
  async function endUnlessValid(member: Member, response: Response) {
    // Per minute, since one that expires writes nothing.
    const { via, id } = member;
    const read = () => userStillBehind(db.read, member);
    const user = await db.cached(`stream ${via} ${id} ${Math.floor(Date.now() / MINUTE_MS)}`, read).catch(() => undefined);
    if (!user) end(response);
  }

  return {
    open(response, member, after) {
      if (isClosed) throw new BusyError();
      const slot = slots.take(String(member.user.id), () => end(response));
      if ('refused' in slot) throw slot.refused === 'total' ? new BusyError() : tooManyRequests('You have too many open pages.', BUSY_MS);
      const missed = after === undefined ? undefined : history.after(after);
      const stream = createStream(response, {
        idOf: history.idOf,
        from: history.latest(),
        sharedAlbums: (keys) => fellows.sharedAlbums(member.user.id, keys),
        async mayStillSend(kind) {
          // Not from memory: another service may just have ended the session.
          const user = await userStillBehind(db.read, member);
          if (!user) response.end();
          return user !== undefined && !response.writableEnded && (kind !== 'job.changed' || user.role === 'admin');
        },
      });
      const one: Open = { member, response, stream };
      all.add(one);
      const leave = presence.enter(member);
      response.once('close', () => {
        all.delete(one);
        leave();
        slot.release();
      });
      response.write(`retry: ${RECONNECT_MS}\n\n`);
      for (const change of missed ?? [undefined]) tell(one, change, history.latest());
    },
    close() {
      isClosed = true;
      clearInterval(heartbeats);
      clearInterval(checks);
      for (const { response } of all) end(response);
    },
  };
}

/** Keys of batches are numbers. */
function withOpaqueKeys(change: LibraryChange, opaque: Opaque): LibraryChange {
  if (change.kind !== 'request.received') return change;
  return { ...change, keys: change.keys.map((key) => opaque.of('batch', Number(key))) };
}

/** Whether a change concerns those with whom its owner shares albums. */
const isOfAlbums = (kind: EventKind) => kind === 'resync' || kind.startsWith('image.') || kind.startsWith('album.');

/** Whether a change is of a user's own: their own pictures and albums, what was sent to them, and to admins, jobs. */
function isFor(change: LibraryChange, { user }: Member): boolean {
  return change.ownerId === null ? user.role === 'admin' : change.ownerId === user.id;
}

/** Which users share albums with each other, so that most changes of others need no query. */
interface Fellows {
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

function createFellows({ read }: Pick<Database, 'read'>): Fellows {
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
    const { rows } = await peopleIn(albums).execute(read);
    return new Set(rows.map(({ id }) => id));
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

/** Keys of the changes that are remembered, together: a stream that was interrupted for some seconds continues where it was. */
const MAX_KEYS = 20_000;

/** The latest changes, numbered. A change is undefined when any may have been missed. */
interface History {
  /** Remembers a change, and returns its number. */
  add(change: LibraryChange | undefined): number;
  latest(): number;
  /** The id of the event that ends with change `number`. */
  idOf(number: number): string;
  /** The changes after an event that this service has sent; undefined when they aren't known any more. */
  after(id: string): (LibraryChange | undefined)[] | undefined;
}

function createHistory(opaque: Pick<Opaque, 'momentOf' | 'readMoment'>): History {
  /** Names this run: numbers begin again with each start, and in each service. */
  const run = randomKey(8);
  const changes: (LibraryChange | undefined)[] = [];
  let latest = 0;
  let keys = 0;
  const sizeOf = (change: LibraryChange | undefined) => 1 + (change?.keys.length ?? 0);

  return {
    add(change) {
      changes.push(change);
      keys += sizeOf(change);
      while (keys > MAX_KEYS) keys -= sizeOf(changes.shift());
      return ++latest;
    },
    latest: () => latest,
    idOf: (number) => opaque.momentOf(`${run}-${number}`),
    after(id) {
      const [of, text = ''] = (opaque.readMoment(id) ?? '').split('-');
      const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
      const missing = latest - number;
      if (of !== run || missing < 0 || missing > changes.length) return undefined;
      return missing === 0 ? [] : changes.slice(-missing);
    },
  };
}

import type { Response } from 'express';
import { MINUTE_MS } from '#api/durations.ts';
import type { Member } from '#server/core/accounts/actor.ts';
import { userStillBehind } from '#server/core/accounts/authorize.ts';
import type { Context } from '#server/core/context.ts';
import { type Change, onChange, onMembers } from '#server/core/journal/changes.ts';
import { createSlots } from '#server/platform/admission/slots.ts';
import { BusyError, tooManyRequests } from '#server/platform/base/errors.ts';
import type { Opaque } from '#server/platform/config/opaque.ts';
import { createFellows } from './fellows.ts';
import { createHistory } from './history.ts';
import { createStream, type Stream } from './stream.ts';

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

export function createStreams({ db, metrics, opaque }: Pick<Context, 'db' | 'metrics' | 'opaque'>, limits = LIMITS): Streams {
  const history = createHistory(opaque);
  const slots = createSlots(limits);
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

  function tell({ member, response, stream }: Open, change: Change | undefined, number: number) {
    if (!change || isFor(change, member)) return stream.add(change, number);
    const { kind, ownerId } = change;
    if (ownerId === null || !fellows.mayShare(member.user.id, ownerId)) return;
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
      response.once('close', () => {
        all.delete(one);
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
function withOpaqueKeys(change: Change, opaque: Opaque): Change {
  if (change.kind !== 'request.received') return change;
  return { ...change, keys: change.keys.map((key) => opaque.of('batch', Number(key))) };
}

/** Whether a change is of a user's own: their own pictures and albums, and to admins, jobs. That something may have been missed concerns everyone. */
function isFor(change: Change | undefined, { user }: Member): boolean {
  if (!change) return true;
  return change.ownerId === null ? user.role === 'admin' : change.ownerId === user.id;
}

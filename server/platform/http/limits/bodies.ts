import type { Request, RequestHandler, Response } from 'express';
import { createSlots } from '#server/platform/admission/slots.ts';
import { BusyError, RequestError, tooManyRequests } from '#server/platform/base/errors.ts';

/** The sender of a body, as limits count it. */
export interface Sender {
  name: string;
  isUser: boolean;
}

/** How many bodies may be arriving, and how long they may take. Replaced in tests. */
export interface BodyLimits {
  /** Of one network without an account, and of all of them. */
  guests: { each: number; total: number };
  /** Of one user, and of all users. */
  users: { each: number; total: number };
  /** A whole JSON body of a caller without an account, and of a user. */
  jsonMs: { guest: number; user: number };
  /** Any other body: a minimum number of bytes in every window, */
  window: { ms: number; bytes: number };
  /** and altogether at most this long, plus the time that its bytes take at this rate. */
  total: { ms: number; bytesPerSecond: number };
}

const LIMITS: BodyLimits = {
  guests: { each: 32, total: 256 },
  users: { each: 64, total: 512 },
  jsonMs: { guest: 30_000, user: 120_000 },
  // As long as `stalled.ts` waits: mobile networks pause that long, but no upload is as slow as 300 bytes a second.
  window: { ms: 120_000, bytes: 32 * 1024 },
  // 50 MiB may take two hours.
  total: { ms: 300_000, bytesPerSecond: 8 * 1024 },
};

/** When those who have too many bodies in flight should try again. */
const RETRY_MS = 5_000;

/** A body that is arriving; {@link whileArriving} fails when it is no longer allowed to. */
interface Arriving {
  failed: Promise<never>;
}

const tooSlow = () =>
  new RequestError('request_timeout', 'The request took too long to arrive. Check your connection, and try again.', {
    retry_after: RETRY_MS / 1000,
  });

/**
 * Limits the request bodies in flight, by sender and in total, and the time that they take to arrive: each holds memory and a connection.
 * @param senderOf the caller, who is known before the body is read
 */
export function limitBodies(senderOf: (response: Response) => Sender, limits: BodyLimits = LIMITS): RequestHandler {
  const guests = createSlots(limits.guests);
  const users = createSlots(limits.users);
  return (request, response, next) => {
    if (!hasBody(request)) return next();
    const { name, isUser } = senderOf(response);
    const { promise: failed, reject: fail } = Promise.withResolvers<never>();
    failed.catch(() => undefined); // a handler that doesn't read the body doesn't care
    const slot = (isUser ? users : guests).take(name, () => fail(new BusyError()));
    if ('refused' in slot) throw refusalOf(slot.refused);
    const stopClock = startClock(request, limits, isUser, () => fail(tooSlow()));
    const done = () => {
      stopClock();
      slot.release();
    };
    request.once('end', done);
    response.once('close', done);
    failed.catch(done);
    response.locals.arriving = { failed } satisfies Arriving;
    next();
  };
}

/**
 * The result of reading a request's body.
 * @throws RequestError `request_timeout` when it arrives too slowly, BusyError when others need its place
 */
export function whileArriving<T>(response: Response, read: Promise<T>): Promise<T> {
  const { arriving } = response.locals as { arriving?: Arriving };
  return arriving ? Promise.race([read, arriving.failed]) : read;
}

/** Calls `end` with the reason when a body that is read as a stream may no longer arrive. */
export function onLateBody(response: Response, end: (reason: Error) => void): void {
  const { arriving } = response.locals as { arriving?: Arriving };
  arriving?.failed.catch(end);
}

const hasBody = ({ headers }: Request) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function refusalOf(reason: 'each' | 'total'): RequestError {
  return reason === 'total' ? new BusyError() : tooManyRequests('Too many of your requests are still being sent.', RETRY_MS);
}

/** Calls `onLate` when a body takes too long; returns what stops that. */
function startClock(request: Request, { jsonMs, window, total }: BodyLimits, isUser: boolean, onLate: () => void): () => void {
  if (request.is('application/json')) {
    const timer = setTimeout(onLate, isUser ? jsonMs.user : jsonMs.guest).unref();
    return () => clearTimeout(timer);
  }
  const first = request.socket.bytesRead;
  let before = first;
  let elapsed = 0;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    // A full buffer means that the service is the one that has stopped reading.
    const isWaitingForUs = request.readableLength >= request.readableHighWaterMark;
    if (!isWaitingForUs) elapsed += window.ms;
    const isLate = elapsed > total.ms + ((bytesRead - first) / total.bytesPerSecond) * 1000;
    if (!isWaitingForUs && (isLate || bytesRead - before < window.bytes)) onLate();
    before = bytesRead;
  }, window.ms).unref();
  return () => clearInterval(timer);
}

import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiError } from '#api/client.ts';
import { withOthers } from './beside.ts';
import { client } from './client.ts';

/** Milliseconds between attempts to reach the service. */
const RETRY_EVERY = 3000;
/** Milliseconds until an attempt counts as failed: a host that is asleep may never respond. */
const ATTEMPT_LIMIT = 10_000;

// Online means that the service responds. It may run on this very machine, so the browser's own events don't matter.
onlineManager.setEventListener(() => undefined);

let timer: ReturnType<typeof setInterval> | undefined;
onlineManager.subscribe((online) => {
  clearInterval(timer);
  if (online) return;
  timer = setInterval(() => void reconnect(), RETRY_EVERY);
  void reconnect();
});

let attempt: Promise<boolean> | undefined;

/** Tries to reach the service, and resolves to whether it responds. */
export function reconnect(): Promise<boolean> {
  attempt ??= responds().then((online) => {
    attempt = undefined;
    onlineManager.setOnline(online);
    return online;
  });
  return attempt;
}

async function responds(): Promise<boolean> {
  try {
    await client.call('GET /auth/session', { signal: AbortSignal.timeout(ATTEMPT_LIMIT) });
    return true;
  } catch (error) {
    return error instanceof ApiError && error.code !== 'unavailable';
  }
}

const subscribe = (notify: () => void) => onlineManager.subscribe(notify);
const isLost = () => !onlineManager.isOnline();

/** True while the service can't be reached. */
export const useConnectionLost = () => useSyncExternalStore(subscribe, isLost);

/** Called after a request has failed to reach the service: resolves once it responds. */
export async function untilReachable(): Promise<void> {
  onlineManager.setOnline(false);
  await untilOnline();
}

/**
 * Loads a part of the application that isn't in its first file, with its styles and texts. While the service is unreachable, this waits for
 * it, because a component that has once failed to load stays broken; a failure after that is a real one.
 */
export const load = <T>(get: () => Promise<T>): Promise<T> => loadAlone(() => withOthers(get));

/** The same for what needs no styles or texts. */
export async function loadAlone<T>(get: () => Promise<T>): Promise<T> {
  try {
    return await get();
  } catch {
    await untilReachable();
    return get();
  }
}

function untilOnline(): Promise<void> {
  return new Promise((resolve) => {
    const stop = onlineManager.subscribe((online) => {
      if (!online) return;
      stop();
      resolve();
    });
  });
}

import { useSyncExternalStore } from 'react';

/** How far shown times may lag behind. */
const TICK_MS = 20_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void) {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function current() {
  if (!timer) now = Date.now();
  return now;
}

/** The current time, in milliseconds since 1970. All components that show how much time is left share one timer. */
export const useNow = (): number => useSyncExternalStore(subscribe, current);

import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

// Online means that the service responds. It may run on this very machine, so the browser's own events don't matter.
onlineManager.setEventListener(() => undefined);

const subscribe = (notify: () => void) => onlineManager.subscribe(notify);
const isLost = () => !onlineManager.isOnline();

/** True while the service can't be reached. */
export const useConnectionLost = () => useSyncExternalStore(subscribe, isLost);

/**
 * Loads a part of the application that isn't in its first file. While the service is away this waits for it, because
 * a component that has once failed to load stays broken; a failure after that is a real one.
 */
export async function load<T>(get: () => Promise<T>): Promise<T> {
  try {
    return await get();
  } catch {
    onlineManager.setOnline(false);
    await untilOnline();
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

import { useSyncExternalStore } from 'react';

/** Whether the service answers. Told by everything that fails to arrive, read by the banner. */
class Connection {
  #lost = false;
  readonly #listeners = new Set<() => void>();

  isLost = () => this.#lost;

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  lose() {
    this.#set(true);
  }

  restore() {
    this.#set(false);
  }

  /** Resolves once the service answers; at once when it does. */
  whenBack(): Promise<void> {
    if (!this.#lost) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        if (this.#lost) return;
        stop();
        resolve();
      });
    });
  }

  #set(lost: boolean) {
    if (this.#lost === lost) return;
    this.#lost = lost;
    for (const listener of this.#listeners) listener();
  }
}

/** The one connection of this page. */
export const connection = new Connection();

/** True while the service does not answer. */
export const useConnectionLost = () => useSyncExternalStore(connection.subscribe, connection.isLost);

/**
 * Loads a part of the application that is not in its first file. While the service is away it waits for it, since a
 * component that has once failed to load stays broken; a failure after that is a real one.
 */
export async function load<T>(get: () => Promise<T>): Promise<T> {
  try {
    return await get();
  } catch {
    connection.lose();
    await connection.whenBack();
    return get();
  }
}

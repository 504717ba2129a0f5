/** Whether the service answers. Told by every request that fails to arrive, read by the banner. */
export class Connection {
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

  #set(lost: boolean) {
    if (this.#lost === lost) return;
    this.#lost = lost;
    for (const listener of this.#listeners) listener();
  }
}

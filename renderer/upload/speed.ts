/** Measures how fast bytes go, smoothed over about two seconds so that the figure can be read. */
export class Speedometer {
  #bytes = 0;
  #time: number;
  #speed = 0;

  /** @param now milliseconds */
  constructor(now: number) {
    this.#time = now;
  }

  /** Bytes per second after `bytes` in all have gone at `now` (milliseconds). */
  at(bytes: number, now: number): number {
    const elapsed = (now - this.#time) / 1000;
    // Shorter spans say more about buffers than about the network.
    if (elapsed < 0.2) return this.#speed;
    const latest = Math.max(0, bytes - this.#bytes) / elapsed;
    const weight = Math.min(1, elapsed / 2);
    this.#speed = this.#speed === 0 ? latest : this.#speed * (1 - weight) + latest * weight;
    this.#bytes = bytes;
    this.#time = now;
    return this.#speed;
  }
}

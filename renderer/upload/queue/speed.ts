/** Measures upload speed, smoothed over about two seconds so that the figure stays readable. */
export class Speedometer {
  #bytes = 0;
  #time: number;
  #speed = 0;

  /** @param now milliseconds */
  constructor(now: number) {
    this.#time = now;
  }

  /** Bytes per second, given that `bytes` in total have been sent at `now` (milliseconds). */
  at(bytes: number, now: number): number {
    const elapsed = (now - this.#time) / 1000;
    // Shorter intervals measure buffers rather than the network.
    if (elapsed < 0.2) return this.#speed;
    const latest = Math.max(0, bytes - this.#bytes) / elapsed;
    const weight = Math.min(1, elapsed / 2);
    this.#speed = this.#speed === 0 ? latest : this.#speed * (1 - weight) + latest * weight;
    this.#bytes = bytes;
    this.#time = now;
    return this.#speed;
  }
}

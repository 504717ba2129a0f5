/** Weight of the last second in the speed shown. */
const SMOOTHING = 0.3;

/** How far along an upload is, in bytes, and its speed in bytes per second; undefined until there is one. */
export interface Progress {
  sent: number;
  bytesPerSecond: number | undefined;
}

/** Measures one attempt to send a file. */
export class ProgressMeter {
  readonly #now: () => number;
  #sent = 0;
  #speed: number | undefined;
  #since: number;
  #counted = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  /** Adds bytes; negative where a repeated attempt takes them back. */
  add(bytes: number) {
    this.#sent += bytes;
    this.#counted += bytes;
    const seconds = (this.#now() - this.#since) / 1_000;
    if (seconds < 1) return;
    const speed = Math.max(0, this.#counted / seconds);
    this.#speed = this.#speed === undefined ? speed : this.#speed + (speed - this.#speed) * SMOOTHING;
    this.#since = this.#now();
    this.#counted = 0;
  }

  read(): Progress {
    return { sent: this.#sent, bytesPerSecond: this.#speed };
  }
}

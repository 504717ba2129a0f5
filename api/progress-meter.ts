/** Intervals below this measure buffers rather than the network. */
const MIN_INTERVAL_SECONDS = 0.2;
/** The time over which the speed is smoothed, so that the figure stays readable. */
const SMOOTHING_SECONDS = 2;

/** How far along an upload is, in bytes, and its speed in bytes per second; undefined until known. */
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
  #measured = 0;

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  /** Adds bytes; negative where a repeated attempt takes them back. */
  add(bytes: number): void {
    this.set(this.#sent + bytes);
  }

  /** @param sent bytes sent since the start */
  set(sent: number): void {
    this.#sent = sent;
    const now = this.#now();
    const seconds = (now - this.#since) / 1_000;
    if (seconds < MIN_INTERVAL_SECONDS) return;
    const latest = Math.max(0, sent - this.#measured) / seconds;
    const weight = Math.min(1, seconds / SMOOTHING_SECONDS);
    this.#speed = this.#speed ? this.#speed * (1 - weight) + latest * weight : latest;
    this.#since = now;
    this.#measured = sent;
  }

  read(): Progress {
    return { sent: this.#sent, bytesPerSecond: this.#speed };
  }
}

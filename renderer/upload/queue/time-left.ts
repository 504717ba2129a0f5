/** The figures of a batch, in bytes. */
export interface Work {
  totalBytes: number;
  /** Of files that the service has stored, and sent of those still on their way. */
  doneBytes: number;
  /** Of files that have been sent, while the service processes them. */
  processingBytes: number;
}

/** Seconds after which older progress counts for little. */
const MEMORY_SECONDS = 15;
/** Before that, buffers that fill up look like a fast connection. */
const MIN_SECONDS = 3;
const SAMPLE_MS = 1000;

/**
 * Estimates the time left from the progress of the whole batch. A file that has been sent counts again only once the service has stored
 * it: on a fast network, processing takes longer than sending.
 */
export class TimeLeft {
  #last: number | undefined;
  #lastBytes = 0;
  /** Sums that fade, so that the rate follows changes: seconds, and bytes done in them. */
  #seconds = 0;
  #bytes = 0;
  #elapsed = 0;
  #estimate: number | undefined;

  /** Seconds left at `now` (milliseconds); undefined until there is enough to go by. Call it once or more a second. */
  at(now: number, work: Work): number | undefined {
    if (this.#last === undefined) this.skip(now, work);
    const passed = (now - (this.#last ?? now)) / 1000;
    if (passed * 1000 < SAMPLE_MS) return this.#estimate;
    const kept = Math.exp(-passed / MEMORY_SECONDS);
    this.#seconds = this.#seconds * kept + passed;
    this.#bytes = this.#bytes * kept + (work.doneBytes - this.#lastBytes);
    this.#elapsed += passed;
    this.skip(now, work);
    const rate = this.#bytes / this.#seconds;
    const left = work.totalBytes - work.doneBytes - work.processingBytes / 2;
    this.#estimate = this.#elapsed < MIN_SECONDS || rate <= 0 ? undefined : Math.max(0, left) / rate;
    return this.#estimate;
  }

  /** The time until `now` doesn't count: the queue was waiting. */
  skip(now: number, { doneBytes }: Work): void {
    this.#last = now;
    this.#lastBytes = doneBytes;
  }
}

import type { Clock } from '#main/base/clock.ts';

/** A clock that moves only on command. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  #planned: { at: number; action: () => void }[] = [];

  now() {
    return this.#now;
  }

  /** Whether anything waits for time to pass. */
  isAwaited(): boolean {
    return this.#planned.length > 0;
  }

  after(milliseconds: number, action: () => void) {
    const plan = { at: this.#now + milliseconds, action };
    this.#planned.push(plan);
    return () => {
      this.#planned = this.#planned.filter((other) => other !== plan);
    };
  }

  /** Advances the time, and runs due timers in order. */
  pass(milliseconds: number) {
    const end = this.#now + milliseconds;
    for (;;) {
      const next = this.#planned.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.#planned = this.#planned.filter((other) => other !== next);
      this.#now = next.at;
      next.action();
    }
    this.#now = end;
  }
}

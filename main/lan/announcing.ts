import { isDeepStrictEqual } from 'node:util';
import type { Announcement, Announcer, announce } from './announce.ts';

/** Announces the desired state, one change after the other, and reports what came of it. */
export interface Announcing {
  /** Announces this; undefined: nothing. Setting the same state again changes nothing, unless it is `forced`. */
  set(announcement: Announcement | undefined, forced?: boolean): void;
  /** The announced host name. */
  host(): string | undefined;
  /** Why nothing is announced although it should be. */
  problem(): string | undefined;
  /** Withdraws the announcement. Never rejects. */
  close(): Promise<void>;
}

interface Options {
  start: typeof announce;
  /** The sentence that the user sees for an error. */
  describe(error: unknown): string;
  onChange(): void;
}

export function createAnnouncing({ start, describe, onChange }: Options): Announcing {
  let desired: Announcement | undefined;
  /** Numbers the requests, so that one replaced by a newer one is skipped. */
  let turn = 0;
  let running: Announcer | undefined;
  let problem: string | undefined;
  let work = Promise.resolve();

  async function apply(mine: number) {
    if (mine !== turn) return; // a newer request follows
    const former = running;
    running = undefined;
    problem = undefined;
    try {
      await former?.stop();
      if (desired) running = await start({ ...desired, onConflict: () => mine === turn && set(desired, true) });
    } catch (error) {
      console.error('Couldn’t announce Pixdock on the network:', error);
      problem = describe(error);
    }
    onChange();
  }

  function set(next: Announcement | undefined, forced = false) {
    if (!forced && isDeepStrictEqual(next, desired)) return;
    desired = next;
    turn += 1;
    const mine = turn;
    work = work.then(() => apply(mine));
  }

  return {
    set,
    host: () => running?.host,
    problem: () => problem,
    close() {
      set(undefined);
      return work;
    },
  };
}

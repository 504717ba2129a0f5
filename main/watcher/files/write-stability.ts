import type { Clock } from '#main/base/clock.ts';
import type { Content, FileState } from './content.ts';

/** The time without a change after which a file counts as written. */
const STABLE_MS = 1_000;
/** The same for an empty file: a program may have only reserved its name. */
const STABLE_EMPTY_MS = 10_000;
/** The same for a file that ends in zeros: a program may have only reserved its space. */
const STABLE_HOLLOW_MS = 30_000;
/** How long a file may stay unreadable, for example locked by the program that writes it. */
const UNREADABLE_TIMEOUT_MS = 30_000;
/** Between the last message about a file and the first look at it, and between looks. */
const QUIET_MS = 100;
const TICK_MS = 100;
/** Number of files looked at in parallel. */
const LOOKS = 16;

/** Runs work once it is its turn, so that only a few files are read at a time. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** A file that has been written completely. */
export interface StableFile extends FileState {
  /** In the folder, with `/` as separator. */
  relPath: string;
  sha256: string;
}

interface Options {
  clock: Clock;
  state(relPath: string): Promise<FileState | 'gone' | 'notFile'>;
  content(relPath: string): Promise<Content>;
  limit: Limit;
  onStable(file: StableFile): void;
  onGone(relPath: string): void;
  /** Reports a file that couldn't be read for half a minute. */
  onUnreadable(relPath: string, state: FileState | undefined, error: Error): void;
}

interface Candidate {
  relPath: string;
  seen: FileState | undefined;
  stableSince: number;
  /** When to look again. */
  due: number;
  troubleSince: number | undefined;
  hollow: boolean;
  busy: boolean;
  /** Whether a message about it arrived while it was busy. */
  touched: boolean;
}

/** Waits until files have been written completely: their size and time stay the same for a second, and while they are read. */
export interface WriteStability {
  /** Looks at a file soon, and until it is stable. */
  touch(relPath: string): void;
  size(): number;
  /** Drops all files. */
  clear(): void;
}

export function createWriteStability(options: Options): WriteStability {
  const { clock } = options;
  const candidates = new Map<string, Candidate>();
  let cancelTick: (() => void) | undefined;

  function plan() {
    if (cancelTick || candidates.size === 0) return;
    cancelTick = clock.after(TICK_MS, () => {
      cancelTick = undefined;
      void lookAtDue().finally(plan);
    });
  }

  /** Looks at the files that are due. Each look ends with a later `due`, or with the candidate's removal. */
  async function lookAtDue() {
    const now = clock.now();
    const due = [...candidates.values()].filter((candidate) => !candidate.busy && candidate.due <= now);
    for (let start = 0; start < due.length; start += LOOKS) await Promise.all(due.slice(start, start + LOOKS).map(look));
  }

  const isCurrent = (candidate: Candidate) => candidates.get(candidate.relPath) === candidate;

  async function look(candidate: Candidate) {
    candidate.busy = true;
    try {
      const state = await options.state(candidate.relPath);
      if (!isCurrent(candidate)) return;
      if (state === 'gone' || state === 'notFile') {
        candidates.delete(candidate.relPath);
        options.onGone(candidate.relPath);
      } else if (observe(candidate, state)) {
        // Not waited for: other files needn't wait until this one is read.
        void read(candidate, state);
        return;
      }
    } catch (error) {
      if (!isCurrent(candidate)) return;
      trouble(candidate, error as Error);
    }
    candidate.busy = false;
  }

  /** Whether the file has been stable for long enough to be read. */
  function observe(candidate: Candidate, state: FileState): boolean {
    const now = clock.now();
    if (!candidate.seen || !isSame(candidate.seen, state)) {
      candidate.seen = state;
      candidate.stableSince = now;
      candidate.hollow = false;
      candidate.troubleSince = undefined;
    }
    const needed = state.size === 0 ? STABLE_EMPTY_MS : candidate.hollow ? STABLE_HOLLOW_MS : STABLE_MS;
    candidate.due = Math.max(candidate.stableSince + needed, now + TICK_MS);
    return now - candidate.stableSince >= needed;
  }

  async function read(candidate: Candidate, before: FileState) {
    const { relPath } = candidate;
    try {
      const { content, after } = await options.limit(async () => {
        candidate.touched = false;
        return { content: await options.content(relPath), after: await options.state(relPath) };
      });
      if (!isCurrent(candidate)) return;
      if (typeof after === 'object' && isSame(before, after) && content.size === after.size) {
        if (!content.hollow || candidate.hollow) {
          candidates.delete(relPath);
          options.onStable({ relPath, sha256: content.sha256, ...after });
          if (candidate.touched) touch(relPath);
          return;
        }
        candidate.hollow = true;
        candidate.due = candidate.stableSince + STABLE_HOLLOW_MS;
      } else {
        candidate.seen = undefined;
        candidate.due = clock.now();
      }
    } catch (error) {
      if (!isCurrent(candidate)) return;
      trouble(candidate, error as Error);
    }
    candidate.busy = false;
    plan();
  }

  /** Keeps looking at a locked or vanishing file for a while. */
  function trouble(candidate: Candidate, error: Error) {
    const now = clock.now();
    candidate.troubleSince ??= now;
    candidate.due = now + STABLE_MS;
    if (now - candidate.troubleSince < UNREADABLE_TIMEOUT_MS) return;
    candidates.delete(candidate.relPath);
    options.onUnreadable(candidate.relPath, candidate.seen, error);
  }

  function touch(relPath: string) {
    const known = candidates.get(relPath);
    if (known) {
      known.touched = true;
      // A look under way may be older than the change.
      if (!known.busy) known.due = Math.min(Math.max(known.due, clock.now() + QUIET_MS), clock.now() + STABLE_MS);
      return;
    }
    candidates.set(relPath, {
      relPath,
      seen: undefined,
      stableSince: 0,
      due: clock.now() + QUIET_MS,
      troubleSince: undefined,
      hollow: false,
      busy: false,
      touched: false,
    });
    plan();
  }

  return {
    touch,
    size: () => candidates.size,
    clear() {
      candidates.clear();
      cancelTick?.();
      cancelTick = undefined;
    },
  };
}

function isSame(one: FileState, other: FileState) {
  return one.size === other.size && one.modified === other.modified;
}

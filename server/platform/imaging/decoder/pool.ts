import type { DecoderProcess, Exit, LaunchDecoder } from './launch.ts';
import type { FromDecoder, ToDecoder } from './messages.ts';

/** A process of a pool, which has one job at a time. */
export interface Member {
  readonly process: DecoderProcess;
  /** Bytes. */
  memory: number;
  /** The processor time of its former jobs. */
  cpuSeconds: number;
  /** How it has ended. */
  exit?: Exit;
  /** Called with what happens next. */
  settle?: (what: Heard) => void;
  idle?: NodeJS.Timeout;
}

/** What comes from a process. */
export type Heard = { message: FromDecoder } | { exit: Exit };

/** Processes that are kept for the next jobs. */
export interface Pool {
  /** Takes one that is idle, or a new one, or waits for one. */
  take(): Promise<Member>;
  /** Starts one, and ends the others, all of which must be idle. */
  startAlone(): Member;
  /** Keeps a process whose job is done. */
  giveBack(member: Member): void;
  /** The memory of all after their last jobs, in bytes. */
  memory(): number;
}

export interface PoolOptions {
  /** Processes that run at once. */
  maxProcesses: number;
  /** Idle processes that never end. */
  minIdle: number;
}

/** Processes with nothing to do for this long end. */
const IDLE_MS = 60_000;

export function createPool(launch: LaunchDecoder, { maxProcesses, minIdle }: PoolOptions): Pool {
  const idle: Member[] = [];
  const waiting: ((member: Member) => void)[] = [];
  const running = new Set<Member>();

  function start(): Member {
    const member: Member = { process: launch(), memory: 0, cpuSeconds: 0 };
    running.add(member);
    member.process.onMessage((message) => member.settle?.({ message }));
    member.process.onExit((exit) => {
      member.exit = exit;
      running.delete(member);
      remove(member);
      member.settle?.({ exit });
      const next = waiting.shift();
      if (next) next(start());
    });
    return member;
  }

  function remove(member: Member) {
    const at = idle.indexOf(member);
    if (at >= 0) idle.splice(at, 1);
    clearTimeout(member.idle);
  }

  function end(member: Member) {
    remove(member);
    member.process.kill();
  }

  return {
    async take() {
      const free = idle.at(-1) ?? (running.size < maxProcesses ? start() : undefined);
      if (!free) return new Promise((resolve) => waiting.push(resolve));
      remove(free);
      return free;
    },
    startAlone() {
      for (const other of [...idle]) end(other);
      return start();
    },
    giveBack(member) {
      const next = waiting.shift();
      if (next) return next(member);
      member.process.hold(false);
      idle.push(member);
      member.idle = setTimeout(() => idle.length > minIdle && end(member), IDLE_MS).unref();
    },
    memory: () => [...running].reduce((sum, { memory }) => sum + memory, 0),
  };
}

/** Sends a message, and waits for the next one. */
export async function tell(member: Member, message: ToDecoder): Promise<Heard> {
  const next = listen(member);
  member.process.send(message);
  return next;
}

export async function listen(member: Member): Promise<Heard> {
  if (member.exit) return { exit: member.exit };
  const { promise, resolve } = Promise.withResolvers<Heard>();
  member.settle = resolve;
  return promise;
}

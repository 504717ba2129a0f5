import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { BusyError } from '#server/platform/base/errors.ts';
import type { Jobs } from './decoder/jobs.ts';
import { type DecoderProcess, decodeHere, type Exit, type LaunchDecoder, launchDecoder } from './decoder/launch.ts';
import { type Reply, type Request, resultOf } from './decoder/messages.ts';
import { DamagedImageError, ImageTooLargeError } from './errors.ts';

/** A decoder that died while it had a picture. */
export interface Death extends Exit {
  kind: string;
  pid: number | undefined;
  /** Of the picture; undefined when it can't be read. */
  sha256: string | undefined;
}

/** Processes that decode, one picture each: a decoder's crash costs one picture, and an exploit in a picture finds no secrets there (decision 078). */
export interface Decoders {
  /**
   * Runs a job in a process that is idle, or in a new one. Long-running work waits in `decoding.ts`, which leaves one process for the rest.
   * @param seconds after which the process is killed; decoders have limits of their own, so only one that hangs gets there
   * @throws ImageError for a fault of the picture, which includes the death of its decoder
   * @throws BusyError when the system could not start the decoder, or something else has killed it, such as a system that is out of memory
   */
  run<K extends keyof Jobs>(kind: K, options: Parameters<Jobs[K]>[0], seconds: number): ReturnType<Jobs[K]>;
  /** The memory of all processes after their last jobs, in bytes; pages that they share count for each. */
  memory(): number;
  /** Calls `listener` for every death, until the returned function is called. */
  watch(listener: (death: Death) => void): () => void;
}

interface Member {
  readonly process: DecoderProcess;
  /** Bytes. */
  memory: number;
  /** Called with what happens next. */
  settle?: ((what: { reply: Reply } | { exit: Exit }) => void) | undefined;
  idle?: NodeJS.Timeout;
}

/** One more than `decoding.ts` lets decode at once: headers are read meanwhile. */
const MAX_PROCESSES = 3;
/** Grace period in which decoders enforce their own limits. */
const GRACE_SECONDS = 5;
/** Windows reports crashes as large codes. */
const FIRST_CRASH_CODE = 256;
/** All but one end when they have had nothing to do for this long. */
const IDLE_MS = 60_000;

export function createDecoders(launch: LaunchDecoder, graceSeconds = GRACE_SECONDS): Decoders {
  const idle: Member[] = [];
  const waiting: ((member: Member) => void)[] = [];
  const running = new Set<Member>();
  const listeners = new Set<(death: Death) => void>();

  function start(): Member {
    const member: Member = { process: launch(), memory: 0 };
    running.add(member);
    member.process.onReply((reply) => member.settle?.({ reply }));
    member.process.onExit((exit) => {
      running.delete(member);
      remove(member);
      member.settle?.({ exit });
      const next = waiting.shift();
      if (next) next(start());
    });
    return member;
  }

  async function take(): Promise<Member> {
    const free = idle.at(-1) ?? (running.size < MAX_PROCESSES ? start() : undefined);
    if (!free) return new Promise((resolve) => waiting.push(resolve));
    remove(free);
    return free;
  }

  function remove(member: Member) {
    const at = idle.indexOf(member);
    if (at >= 0) idle.splice(at, 1);
    clearTimeout(member.idle);
  }

  function giveBack(member: Member) {
    const next = waiting.shift();
    if (next) return next(member);
    member.process.hold(false);
    idle.push(member);
    member.idle = setTimeout(() => {
      if (idle.length < 2) return;
      remove(member);
      member.process.kill();
    }, IDLE_MS).unref();
  }

  async function perform(member: Member, request: Request, seconds: number): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<{ reply: Reply } | { exit: Exit }>();
    let isLate = false;
    const timer = setTimeout(
      () => {
        isLate = true;
        member.process.kill();
      },
      (seconds + graceSeconds) * 1000,
    );
    member.settle = resolve;
    member.process.hold(true);
    member.process.send(request);
    const what = await promise;
    member.settle = undefined;
    clearTimeout(timer);
    if ('reply' in what) {
      member.memory = what.reply.memory;
      // A late one has been killed, even if its exit isn't reported yet.
      if (what.reply.isWorn) member.process.kill();
      else if (!isLate) giveBack(member);
      return what.reply;
    }
    await report(member, request, what.exit);
    throw faultOf(what.exit, isLate);
  }

  async function report({ process: { pid } }: Member, { kind, options }: Request, exit: Exit) {
    if (listeners.size === 0) return;
    const sha256 = 'input' in options ? await hashOf(String(options.input)) : undefined;
    for (const listener of listeners) listener({ ...exit, kind, pid, sha256 });
  }

  async function run(kind: keyof Jobs, options: object, seconds: number): Promise<unknown> {
    return resultOf(await perform(await take(), { kind, options }, seconds));
  }

  return {
    run: run as Decoders['run'],
    memory: () => [...running].reduce((sum, { memory }) => sum + memory, 0),
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function faultOf({ code, signal, isCrash = signal !== null || (code ?? 0) >= FIRST_CRASH_CODE }: Exit, isLate: boolean): Error {
  const cause = new Error(`The decoder ended with ${signal ?? `code ${code}`}.`);
  if (isLate) return new ImageTooLargeError('The picture takes too long to decode. Make it smaller and try again.', { cause });
  // Neither a code nor a signal: the system could not start it.
  if (signal === 'SIGKILL' || (code === null && signal === null)) return new BusyError();
  // It has ended on its own: a decoder that can't load, or a bug in it.
  if (!isCrash) return cause;
  return new DamagedImageError('The picture can’t be decoded. Open it in another program, save it as a new file and upload that.', {
    cause,
  });
}

async function hashOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  return pipeline(createReadStream(path), hash).then(
    () => hash.digest('hex'),
    () => undefined, // the picture may be gone, and the rest is worth logging
  );
}

let launchOne = 'electron' in process.versions ? decodeHere : launchDecoder;

/** Replaces how this process starts decoders. Electron's utility process can't start Node programs, since the fuse `runAsNode` is off. */
export function launchDecodersBy(launch: LaunchDecoder): void {
  launchOne = launch;
}

/** The decoders of this process. They start with the first picture. */
export const decoders = createDecoders(() => launchOne());

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { createTurns } from '#server/platform/base/turns.ts';
import { writeAll } from '#server/platform/files/durable.ts';
import type { FileContent } from '#server/platform/files/staged-file.ts';
import { ImageBytes } from './bytes.ts';
import { createDeaths, type Ending, type Verdict } from './decoder/deaths.ts';
import type { Jobs } from './decoder/jobs.ts';
import { decodeHere, type Exit, type LaunchDecoder, launchDecoder } from './decoder/launch.ts';
import { PIECE_BYTES, type Reply, type Request, resultOf } from './decoder/messages.ts';
import { createPool, listen, type Member, type PoolOptions, tell } from './decoder/pool.ts';
import { prepareProtection } from './decoder/protection.ts';

/** A decoder that has ended while it had a job. */
export interface Death extends Exit {
  kind: string;
  pid: number | undefined;
  /** Of the picture, if there is one. */
  sha256: string | undefined;
  /** What becomes of the job. */
  verdict: Verdict;
}

/** What a job has to do with. Only the service opens its files. */
interface JobParts {
  /** The picture. */
  input?: string | FileContent;
  /** Where the picture that the job makes is written. */
  output?: string;
  /** The job reads its file, and writes what it makes, in parts and in any order, so that neither must fit into memory. */
  inParts?: true;
  /** Ends the job, and its process with it. */
  signal?: AbortSignal | undefined;
}

/** Processes that decode, one picture each: a decoder's crash costs no other picture, and an exploit in a picture finds no secrets there (decision 078). */
export interface Decoders {
  /**
   * Runs a job in a process that is idle, or in a new one. Long-running work waits in `decoding.ts`, which leaves one process for the rest.
   * A job whose decoder dies runs once more in a new one, alone.
   * @param seconds of processor time, after which the job is given up
   * @param parts the files whose contents are passed on
   * @throws ImageError for a fault of the picture, which includes the third death of a decoder that had it
   * @throws RequestError `unavailable` when the decoder died twice, could not start, or got too little processor time
   * @throws the reason of the signal
   */
  run<K extends keyof Jobs>(kind: K, options: Parameters<Jobs[K]>[0], seconds: number, parts?: JobParts): ReturnType<Jobs[K]>;
  /** The memory of all processes after their last jobs, in bytes; pages that they share count for each. */
  memory(): number;
  /** Calls `listener` for every death, until the returned function is called. */
  watch(listener: (death: Death) => void): () => void;
}

/** The files of a job that runs. */
interface OpenFiles {
  source: ImageBytes | undefined;
  target: FileHandle | undefined;
}

/** Of a video, at once. */
const MAX_READ_BYTES = 1024 * 1024;
/** One more than `decoding.ts` lets decode at once: headers are read meanwhile. */
const MAX_PROCESSES = 3;
/** A process may wait for the processor, and use it, for this many times the processor time that its job may take, */
const PATIENCE = 4;
/** and this much longer, since it starts first. */
const GRACE_SECONDS = 5;
interface DecoderOptions extends Partial<PoolOptions> {
  /** See {@link PATIENCE}. Less in tests. */
  patience?: number;
  graceSeconds?: number;
  /** Runs before a job looks for a process. */
  prepare?: () => Promise<void>;
}

export function createDecoders(
  launch: LaunchDecoder,
  {
    patience = PATIENCE,
    graceSeconds = GRACE_SECONDS,
    maxProcesses = MAX_PROCESSES,
    minIdle = 1,
    prepare = async () => undefined,
  }: DecoderOptions = {},
): Decoders {
  const turns = createTurns();
  const deaths = createDeaths();
  const pool = createPool(launch, { maxProcesses, minIdle });
  const listeners = new Set<(death: Death) => void>();

  /** Runs a job; a process that is late, or whose job has been ended, is killed. */
  async function perform(
    member: Member,
    request: Request,
    files: OpenFiles,
    signal: AbortSignal | undefined,
  ): Promise<{ reply: Reply } | Pick<Ending, 'exit' | 'late'>> {
    const { seconds } = request;
    let isLate = false;
    let isKilled = false;
    const kill = () => {
      isKilled = true;
      member.process.kill();
    };
    const timer = setTimeout(
      () => {
        isLate = true;
        kill();
      },
      (patience * seconds + graceSeconds) * 1000,
    );
    member.process.hold(true);
    signal?.addEventListener('abort', kill);
    if (signal?.aborted) kill();
    const outcome = await converse(member, request, files).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
    });
    if ('exit' in outcome) {
      const { cpuSeconds } = outcome.exit;
      const used = cpuSeconds === undefined ? undefined : cpuSeconds - member.cpuSeconds;
      return isLate ? { ...outcome, late: { cpuSeconds: used, limit: seconds } } : outcome;
    }
    member.memory = outcome.reply.memory;
    member.cpuSeconds = outcome.reply.cpuSeconds;
    // One that has been killed is of no use, even if its exit isn't reported yet.
    if (outcome.reply.isWorn) kill();
    else if (!isKilled) pool.giveBack(member);
    return outcome;
  }

  /** Passes pieces of pictures until the job is done. A fault of their files costs the process, which would wait for the rest. */
  async function converse(member: Member, request: Request, { source, target }: OpenFiles): Promise<{ reply: Reply } | { exit: Exit }> {
    try {
      let sent = request.piece.length;
      for (let heard = await tell(member, request); ; ) {
        if ('exit' in heard) return heard;
        const { message } = heard;
        if ('isWorn' in message) return { reply: message };
        if ('read' in message) {
          heard = await tell(member, { bytes: await bytesOf(source, message.read) });
        } else if ('write' in message) {
          if (target) await writeAll(target, message.write, message.at);
          heard = await tell(member, { next: true });
        } else if ('piece' in message) {
          await target?.appendFile(message.piece);
          heard = await tell(member, { next: true });
        } else if (member.process.pipe) {
          // Listening first: the outcome may come before the last write is reported.
          const next = listen(member);
          while (!member.exit && sent < request.size) {
            const piece = await pieceOf(source, sent);
            await member.process.pipe(piece);
            sent += piece.length;
          }
          heard = await next;
        } else {
          const piece = await pieceOf(source, sent);
          sent += piece.length;
          heard = await tell(member, { piece });
        }
      }
    } catch (error) {
      member.process.kill();
      throw error;
    }
  }

  async function run(
    kind: keyof Jobs,
    options: object,
    seconds: number,
    { input, output, signal, inParts }: JobParts = {},
  ): Promise<unknown> {
    signal?.throwIfAborted();
    await prepare();
    await using source = input === undefined ? undefined : await ImageBytes.open(input);
    const fileSize = source?.size ?? 0;
    const size = inParts ? 0 : fileSize;

    async function attempt(find: () => Member | Promise<Member>) {
      await using target = output === undefined ? undefined : await open(output, 'w', 0o600);
      const request = {
        kind,
        options,
        seconds,
        size,
        piece: size === 0 || size > PIECE_BYTES ? new Uint8Array() : await pieceOf(source, 0),
      };
      const member = await find();
      return { pid: member.process.pid, ...(await perform(member, request, { source, target }, signal)) };
    }

    for (let isRepeated = false; ; isRepeated = true) {
      const end = await (isRepeated ? turns.alone(() => attempt(pool.startAlone)) : turns.beside(() => attempt(pool.take)));
      if ('reply' in end) {
        if (source && deaths.hasSize(fileSize)) deaths.forget(await hashOf(source));
        return resultOf(end.reply);
      }
      signal?.throwIfAborted();
      const sha256 = source && (await hashOf(source));
      const { verdict, error } = deaths.judge({ ...end, isRepeated }, sha256 === undefined ? undefined : { sha256, size: fileSize });
      for (const listener of listeners) listener({ ...end.exit, kind, pid: end.pid, sha256, verdict });
      if (verdict !== 'again') throw error;
    }
  }

  return {
    run: run as Decoders['run'],
    memory: pool.memory,
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The view is valid until the next call. */
async function pieceOf(source: ImageBytes | undefined, from: number): Promise<Uint8Array> {
  return source ? source.at(from, Math.min(PIECE_BYTES, source.size - from)) : new Uint8Array();
}

/** The bytes that a decoder asks for, in memory of their own. It may ask for anything. */
async function bytesOf(
  source: ImageBytes | undefined,
  { from, length }: { from: number; length: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const [start, end] = [Math.max(0, from), Math.min(from + Math.min(length, MAX_READ_BYTES), source?.size ?? 0)];
  return source && end > start ? new Uint8Array(await source.copy({ from: start, to: end })) : new Uint8Array();
}

async function hashOf(source: ImageBytes): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < source.size; at += PIECE_BYTES) hash.update(await pieceOf(source, at));
  return hash.digest('hex');
}

const launchHere: LaunchDecoder = () => launchDecoder();
let launchOne = 'electron' in process.versions ? decodeHere : launchHere;

/** Replaces how this process starts decoders. Electron's utility process can't start Node programs, since the fuse `runAsNode` is off. */
export function launchDecodersBy(launch: LaunchDecoder): void {
  launchOne = launch;
}

const prepare = async () => void (launchOne === launchHere && (await prepareProtection()));

/** The decoders of this process. They start with the first picture. */
export const decoders = createDecoders(() => launchOne(), { prepare });

/** Recognises text, which takes seconds and keeps a lot of memory: one process, apart from the decoders, that ends when it has nothing to do (decision 153). */
export const recognizers = createDecoders(() => launchOne(), { maxProcesses: 1, minIdle: 0, prepare });

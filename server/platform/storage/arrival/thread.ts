import { Worker } from 'node:worker_threads';
import { errorOf, type Fault } from '#server/platform/base/faults.ts';
import type { ArrivedFile } from './receiver.ts';

/** Bytes are handed to the thread in buffers of this size. */
export const BUFFER_BYTES = 512 * 1024;
/** Buffers that stay for the next files. */
const MAX_FREE_BUFFERS = 4;

export interface ThreadCall {
  readonly number: number;
  readonly file: number;
  readonly kind: 'open' | 'write' | 'finish' | 'discard';
  readonly path?: string;
  readonly bytes?: ArrayBuffer;
  /** How much of `bytes` is used. */
  readonly length?: number;
}

export interface ThreadReply {
  readonly number: number;
  readonly bytes?: ArrayBuffer | undefined;
  readonly result?: ArrivedFile | undefined;
  readonly fault?: Fault;
}

/** A file that the thread writes. Its calls are made one after the other, in their order. */
export interface ThreadFile {
  /** @param buffer from {@link takeBuffer}; nothing may use it any longer */
  write(buffer: Buffer, length: number): Promise<void>;
  finish(): Promise<ArrivedFile>;
  discard(): Promise<void>;
}

/**
 * Writes and hashes large files in one thread; the main thread only hands over what has arrived. The thread doesn't flush: that may take seconds, for
 * which the other files would wait.
 */
export function createArrivalThread(startThread = startWorker) {
  const waiting = new Map<number, PromiseWithResolvers<ArrivedFile | undefined>>();
  const free: ArrayBuffer[] = [];
  let worker: Worker | undefined;
  let lastNumber = 0;
  let lastFile = 0;

  function start(): Worker {
    const started = startThread();
    started.unref();
    started.on('message', ({ number, bytes, result, fault }: ThreadReply) => {
      if (bytes && free.length < MAX_FREE_BUFFERS) free.push(bytes);
      else bytes?.transfer(0);
      const call = waiting.get(number);
      waiting.delete(number);
      if (waiting.size === 0) started.unref();
      if (fault) call?.reject(errorOf(fault));
      else call?.resolve(result);
    });
    started.on('error', (error) => {
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    });
    return started;
  }

  function send(call: Omit<ThreadCall, 'number'>, thread: Worker): Promise<ArrivedFile | undefined> {
    const number = ++lastNumber;
    const done = Promise.withResolvers<ArrivedFile | undefined>();
    waiting.set(number, done);
    thread.ref();
    thread.postMessage({ ...call, number } satisfies ThreadCall, call.bytes ? [call.bytes] : []);
    return done.promise;
  }

  return {
    /** A buffer for {@link ThreadFile.write}. */
    takeBuffer(): Buffer {
      const known = free.pop();
      return known ? Buffer.from(known) : Buffer.allocUnsafeSlow(BUFFER_BYTES);
    },

    /** @throws the system's error */
    async open(path: string): Promise<ThreadFile> {
      worker ??= start();
      const thread = worker;
      const file = ++lastFile;
      const call = async (kind: ThreadCall['kind'], more: Pick<ThreadCall, 'path' | 'bytes' | 'length'> = {}) => {
        if (thread !== worker) throw new Error('The thread that wrote this file has ended.');
        return await send({ kind, file, ...more }, thread);
      };
      await call('open', { path });
      return {
        write: async (buffer, length) => void (await call('write', { bytes: buffer.buffer as ArrayBuffer, length })),
        async finish() {
          const received = await call('finish');
          if (!received) throw new Error('This file has been discarded.');
          return received;
        },
        discard: async () => {
          if (thread === worker) await call('discard');
        },
      };
    },
  };
}

/** @throws Error when the system has no room for another thread */
export const startWorker = () => new Worker(threadUrl(), { resourceLimits: { maxOldGenerationSizeMb: 64 } });

/** The thread's file: the source, or a file beside the service in the bundle, whose files are all one folder deep. */
function threadUrl(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? './worker.ts' : '../server/arrival-worker.js', here);
}

/** The thread of this process. It starts with the first large file. */
export const arrivalThread = createArrivalThread();

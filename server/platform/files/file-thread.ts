import { Worker } from 'node:worker_threads';
import { errorOf, type Fault } from '#server/platform/base/faults.ts';

/** A small file and its place. */
export interface PlaceJob {
  readonly bytes: Uint8Array;
  /** Where it is written, in `tmp/`. */
  readonly path: string;
  readonly target: string;
  /** Above `target`: it and all folders between are flushed. */
  readonly root: string;
}

/** The fault of a job; undefined: done. */
export type PlaceResult = Fault | undefined;

interface Waiting {
  readonly job: PlaceJob;
  resolve(): void;
  reject(error: unknown): void;
}

/** Limits a batch, so that its first file doesn't wait for a flood of others. */
const MAX_BATCH = 32;

/**
 * Writes small files durably, in one thread that makes all calls of a batch one after the other: handing each of them to another thread takes
 * longer than the call. What arrives meanwhile is the next batch, which flushes each folder once (decision 090).
 */
export function createFileThread(startThread = startWorker) {
  const waiting: Waiting[] = [];
  let running: Waiting[] | undefined;
  let worker: Worker | undefined;

  function start(): Worker {
    const started = startThread();
    started.unref();
    started.on('message', (results: PlaceResult[]) => settle((one, i) => finish(one, results[i])));
    started.on('error', (error) => {
      worker = undefined;
      settle(({ reject }) => reject(error));
    });
    return started;
  }

  function settle(each: (one: Waiting, i: number) => void) {
    const done = running ?? [];
    running = undefined;
    done.forEach(each);
    startBatch();
  }

  function startBatch() {
    if (running || waiting.length === 0) return worker?.unref();
    try {
      worker ??= start();
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error); // the next file tries again
      return;
    }
    running = waiting.splice(0, MAX_BATCH);
    worker.ref();
    worker.postMessage(running.map(({ job }) => job));
  }

  return {
    /**
     * Writes a file to `tmp/`, flushes it, moves it to its place and flushes the folders. When it throws, the file isn't at its path.
     * @throws the system's error; with `syscall: 'rename'` if the file can't be moved, for example to another file system
     */
    place: (job: PlaceJob) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        startBatch();
      }),
  };
}

function finish({ resolve, reject }: Waiting, fault: PlaceResult) {
  if (fault) reject(errorOf(fault));
  else resolve();
}

/** @throws Error when the system has no room for another thread */
export const startWorker = () => new Worker(threadUrl(), { resourceLimits: { maxOldGenerationSizeMb: 64 } });

/** The thread's file: the source, or a file beside the service in the bundle, whose files are all one folder deep. */
function threadUrl(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? './file-worker.ts' : '../server/file-worker.js', here);
}

/** The thread of this process. It starts with the first file. */
export const fileThread = createFileThread();

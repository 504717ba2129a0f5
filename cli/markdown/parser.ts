import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CommandError } from '../errors.ts';
import type { PictureLink } from './picture-link.ts';

/** A document to read. */
export interface ParseJob {
  text: string;
  isHtml: boolean;
}

export type ParseResult = { links: PictureLink[] } | { problem: string };

/**
 * Seconds for any document, and for each million characters: about twenty times what ordinary ones take on an idle computer. MiB of JavaScript
 * heap: enough for ten million characters of ordinary Markdown.
 */
const LIMITS = { seconds: 10, secondsPerMillion: 30, heapMib: 1536 };

const LEFT_ALONE = 'so the file was left alone. Its parts may be nested too deeply.';

/**
 * Finds the pictures of documents in a thread of its own: a text can be made so that parsers take hours, or more memory than there is. The
 * thread is then ended, and the next document gets another one.
 */
export class Parser {
  readonly #signal: AbortSignal;
  readonly #limits: typeof LIMITS;
  #worker: Promise<Worker> | undefined;

  constructor(signal: AbortSignal, limits: Partial<typeof LIMITS> = {}) {
    this.#signal = signal;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** @throws CommandError if it takes too long or too much memory */
  async picturesOf(job: ParseJob): Promise<PictureLink[]> {
    const { seconds: base, secondsPerMillion, heapMib } = this.#limits;
    const seconds = Math.ceil(base + (job.text.length / 1e6) * secondsPerMillion);
    this.#worker ??= startWorker(heapMib, this.#signal);
    const worker = await this.#worker;
    const limit = AbortSignal.timeout(seconds * 1000);
    try {
      worker.postMessage(job);
      // `once` also rejects with the thread's own error event.
      const [result] = (await once(worker, 'message', { signal: AbortSignal.any([limit, this.#signal]) })) as [ParseResult];
      if ('links' in result) return result.links;
      throw new CommandError(`its pictures can’t be found: ${result.problem}`);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      await this[Symbol.asyncDispose]();
      this.#signal.throwIfAborted();
      if (limit.aborted) throw new CommandError(`finding its pictures takes more than ${seconds} s, ${LEFT_ALONE}`, { cause: error });
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      throw new CommandError(`finding its pictures takes too much memory, ${LEFT_ALONE}`, { cause: error });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = await this.#worker?.catch(() => undefined);
    this.#worker = undefined;
    await worker?.terminate();
  }
}

async function startWorker(heapMib: number, signal: AbortSignal): Promise<Worker> {
  const worker = new Worker(workerUrl(), { resourceLimits: { maxOldGenerationSizeMb: heapMib } });
  await once(worker, 'message', { signal });
  return worker;
}

/** The thread's file: the source, or a file beside the command line in the bundle, whose files are all one folder deep. */
function workerUrl(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? './parser-worker.ts' : '../cli/markdown-worker.js', here);
}

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Longer than migrating the largest database takes; a start that never ends must not keep a restore waiting forever. */
const MAX_SECONDS = 300;

/** The worker's file: the source, or a file beside the service in the bundle, whose files are all one folder deep. */
function workerUrl(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? './start-check-worker.ts' : '../server/start-check-worker.js', here);
}

/** The reason why the service didn't start, as a sentence; null: it did. */
export interface StartResult {
  reason: string | null;
}

/**
 * Runs {@link checkStart} in a thread of its own. The folder must be a copy, since the start migrates and cleans it.
 * @throws Error with the reason, a sentence, when the service doesn't work with the folder
 */
export async function checkStartInThread(dataDir: string, seconds = MAX_SECONDS): Promise<void> {
  const worker = new Worker(workerUrl(), { workerData: { dataDir }, stdout: true, stderr: true });
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    // `once` also rejects with the worker's own error event.
    const [{ reason }] = (await once(worker, 'message', { signal })) as [StartResult];
    if (reason !== null) throw new Error(reason);
  } catch (error) {
    if (signal.aborted) throw new Error(`It didn’t start within ${seconds} seconds.`, { cause: error });
    throw error;
  } finally {
    await worker.terminate();
  }
}

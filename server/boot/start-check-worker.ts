import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '#server/features/backup/reason.ts';
import { checkStart } from './start-check.ts';
import type { StartResult } from './start-check-thread.ts';

/** A thread for one {@link checkStart}; its parent may terminate it earlier. */
async function run(): Promise<StartResult> {
  const { dataDir } = workerData as { dataDir: string };
  try {
    await checkStart(dataDir);
    return { reason: null };
  } catch (error) {
    return { reason: reasonOf(error, dataDir) };
  }
}

parentPort?.postMessage(await run());

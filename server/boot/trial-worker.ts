import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '#server/features/backup/reason.ts';
import { startForTrial } from './trial.ts';
import type { TrialResult } from './trial-start.ts';

/** A thread for one trial start; its parent may terminate it earlier. */
async function run(): Promise<TrialResult> {
  const { dataDir } = workerData as { dataDir: string };
  try {
    await startForTrial(dataDir);
    return { reason: null };
  } catch (error) {
    return { reason: reasonOf(error, dataDir) };
  }
}

parentPort?.postMessage(await run());

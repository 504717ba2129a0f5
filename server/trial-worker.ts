import { parentPort, workerData } from 'node:worker_threads';
import { startForTrial } from './trial.ts';
import type { TrialResult } from './trial-start.ts';

/** A thread for one trial start; its parent may terminate it earlier. */
async function run(): Promise<TrialResult> {
  try {
    await startForTrial((workerData as { dataDir: string }).dataDir);
    return { reason: null };
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

parentPort?.postMessage(await run());

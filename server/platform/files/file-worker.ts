import { parentPort } from 'node:worker_threads';
import { freeBuffer } from '#server/platform/base/free-buffer.ts';
import type { PlaceJob } from './file-thread.ts';
import { placeFiles } from './place-files.ts';

parentPort?.on('message', (jobs: PlaceJob[]) => {
  parentPort?.postMessage(placeFiles(jobs));
  for (const { bytes } of jobs) freeBuffer(bytes); // this thread's copies
});

import { parentPort } from 'node:worker_threads';
import type { PlaceJob } from './file-thread.ts';
import { placeFiles } from './place-files.ts';

parentPort?.on('message', (jobs: PlaceJob[]) => parentPort?.postMessage(placeFiles(jobs)));

import { onTestFinished } from 'vitest';
import { type ObjectStore, runObjectStore } from './run-object-store.ts';

/** Runs until the end of the test, or of the file with `onEnd` of its `afterAll`. */
export async function startObjectStore(onEnd: (stop: () => Promise<void>) => void = onTestFinished): Promise<ObjectStore> {
  const store = await runObjectStore();
  onEnd(async () => store[Symbol.asyncDispose]());
  return store;
}

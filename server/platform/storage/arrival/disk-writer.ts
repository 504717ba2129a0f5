import { removeFile } from '#server/platform/files/missing.ts';
import type { StagedWriter } from '../staged.ts';
import { arrivalThread } from './thread.ts';

/** Re-check free space after this many bytes. */
const CHECK_BYTES = 8 * 1024 * 1024;

/** Writes a file in `tmp/` that isn't held in memory. */
export async function writeToDisk(path: string, requireRoom: (bytes: number) => Promise<void>): Promise<StagedWriter> {
  const file = await arrivalThread.open(path);
  let gathered: Buffer | undefined;
  let gatheredBytes = 0;
  let unchecked = 0;
  /** One buffer is being written while the next one fills. */
  let writing: Promise<void> | undefined;
  let isFinished = false;

  async function flushGathered() {
    unchecked += gatheredBytes;
    if (unchecked >= CHECK_BYTES) {
      await requireRoom(unchecked);
      unchecked = 0;
    }
    await writing;
    if (!gathered) return;
    writing = file.write(gathered, gatheredBytes);
    writing.catch(() => undefined); // whatever comes next awaits it
    gathered = undefined;
    gatheredBytes = 0;
  }

  return {
    async write(bytes) {
      for (let from = 0; from < bytes.length; ) {
        gathered ??= arrivalThread.takeBuffer();
        const part = bytes.subarray(from, from + gathered.length - gatheredBytes);
        gathered.set(part, gatheredBytes);
        gatheredBytes += part.length;
        from += part.length;
        if (gatheredBytes === gathered.length) await flushGathered();
      }
    },
    async finish() {
      await flushGathered();
      await writing;
      isFinished = true;
      const received = await file.finish();
      await requireRoom(0);
      return { path, ...received };
    },
    async [Symbol.asyncDispose]() {
      if (!isFinished) await file.discard();
      isFinished = true;
      await removeFile(path);
    },
  };
}

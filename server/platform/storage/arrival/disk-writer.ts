import { removeFile } from '#server/platform/files/missing.ts';
import type { KeptRights } from '#server/platform/imaging/metadata/plan.ts';
import type { StagedWriter } from '../staged.ts';
import type { Received } from './receiver.ts';
import { arrivalThread } from './thread.ts';

/** Re-check free space after this many bytes. */
const CHECK_BYTES = 8 * 1024 * 1024;

/** A file in `tmp/` that is being written. Disposing of it removes the file, finished or not. */
export interface DiskWriter extends AsyncDisposable {
  readonly path: string;
  /** As that of a {@link StagedWriter}. */
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<Received>;
}

export async function writeToDisk(path: string, requireRoom: (bytes: number) => Promise<void>, rights?: KeptRights): Promise<DiskWriter> {
  const file = await arrivalThread.open(path, rights);
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
    path,
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
      return received;
    },
    async [Symbol.asyncDispose]() {
      if (!isFinished) await file.discard();
      isFinished = true;
      await removeFile(path);
    },
  };
}

/** A writer of a file that is written as it is. */
export function asStaged({ path, write, finish, [Symbol.asyncDispose]: dispose }: DiskWriter): StagedWriter {
  return {
    write,
    async finish() {
      const { size, sha256 } = await finish();
      return { path, size, sha256 };
    },
    [Symbol.asyncDispose]: dispose,
  };
}

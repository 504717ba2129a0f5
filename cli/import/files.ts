import { type FoundFile, type WalkEvents, walk } from '#transfer/walk.ts';
import { describeError } from '../errors.ts';
import type { Job } from './job.ts';

/**
 * The files that an import uploads: all in its folder but those that its options leave out (`transfer/select.ts`), those that an earlier run has
 * uploaded, and those that can't be read. Counts and reports what it leaves out.
 * @param isOver asked before each file, ends the walk
 */
export function filesOf(job: Job, isOver: () => boolean): AsyncGenerator<FoundFile> {
  const { folder, summary, run, report } = job;
  const events: WalkEvents = {
    onSkip: (reason) => {
      summary.skipped[reason]++;
    },
    onError: async (entry, error) => {
      const reason = describeError(error);
      summary.failed++;
      run.terminal.problem(entry.relative || folder, reason);
      await report?.add(entry, { status: 'failed', error: reason });
    },
  };
  return select(job, isOver, events, () => summary.imported_before++);
}

/** How many files {@link filesOf} yields, and their bytes. */
export async function countFiles(job: Job, isOver: () => boolean): Promise<{ files: number; bytes: number }> {
  const count = { files: 0, bytes: 0 };
  const events: WalkEvents = { onSkip: () => undefined, onError: () => Promise.resolve() };
  for await (const { size } of select(job, isOver, events, () => undefined)) {
    count.files++;
    count.bytes += size;
  }
  return count;
}

async function* select({ folder, filters, journal }: Job, isOver: () => boolean, events: WalkEvents, onImported: () => void) {
  for await (const file of walk(folder, filters, events)) {
    if (isOver()) return;
    if (journal.has(file)) onImported();
    else yield file;
  }
}

import { type WalkEvents, walk } from '#transfer/walk.ts';
import type { AlbumFinder } from '../albums.ts';
import { describeError } from '../errors.ts';
import { albumNames, type Job } from './job.ts';
import { type Picture, plainPicture } from './picture.ts';
import { scanExport } from './takeout/export.ts';
import { finishAlbums } from './takeout/own-albums.ts';
import { ExportedPictures } from './takeout/pictures.ts';
import { takeoutSummary } from './takeout/summary.ts';

/** The pictures that an import uploads. */
export interface Pictures {
  /** @param isOver asked before each, ends the walk */
  until(isOver: () => boolean): AsyncIterable<Picture>;
  /** Sets what is known of their albums, once all are there. */
  finish?(albums: AlbumFinder, stop: AbortSignal): Promise<void>;
  /** How many files these are, and their bytes: about, with a Google Takeout. */
  count(isOver: () => boolean): Promise<{ files: number; bytes: number }>;
}

/**
 * All pictures in the folder of an import but those that its options leave out (`transfer/select.ts`), those that an earlier run has
 * uploaded, and those that can't be read. Counts and reports what it leaves out.
 */
export async function picturesOf(job: Job, stop: AbortSignal): Promise<Pictures> {
  if (job.options.takeout) return picturesOfTakeout(job, stop);
  return {
    async *until(isOver) {
      for await (const file of select(job, isOver, eventsOf(job), () => job.summary.imported_before++))
        yield plainPicture(file, albumNames(job, file));
    },
    count: (isOver) => countFiles(job, isOver),
  };
}

async function picturesOfTakeout(job: Job, stop: AbortSignal): Promise<Pictures> {
  const { folder, filters, journal, summary, takes } = job;
  const found = await scanExport(folder, { ...filters, takes }, eventsOf(job), () => stop.aborted);
  summary.skipped.other_type += found.others;
  const ofTakeout = takeoutSummary(found);
  // What an interrupted walk has found says nothing about the export.
  if (!stop.aborted) summary.takeout = ofTakeout;
  const pictures = new ExportedPictures(found, job, ofTakeout);
  const missing = found.files.filter((file) => !journal.has(file));
  return {
    until: (isOver) => pictures.until(isOver),
    finish: (albums, stopped) => finishAlbums(job, found, albums, stopped),
    count: async () => ({ files: missing.length, bytes: missing.reduce((sum, { size }) => sum + size, 0) }),
  };
}

function eventsOf({ folder, summary, run, report }: Job): WalkEvents {
  return {
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
}

async function countFiles(job: Job, isOver: () => boolean): Promise<{ files: number; bytes: number }> {
  const count = { files: 0, bytes: 0 };
  const events: WalkEvents = { onSkip: () => undefined, onError: () => Promise.resolve() };
  for await (const { size } of select(job, isOver, events, () => undefined)) {
    count.files++;
    count.bytes += size;
  }
  return count;
}

async function* select({ folder, filters, journal, takes }: Job, isOver: () => boolean, events: WalkEvents, onImported: () => void) {
  for await (const file of walk(folder, filters, events)) {
    if (isOver()) return;
    if (journal.has(file)) onImported();
    else if (await takes(file)) yield file;
    else events.onSkip('other_type', file.relative);
  }
}

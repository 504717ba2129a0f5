import { basename } from 'node:path';
import { ApiError } from '#api/client.ts';
import { albumTitle } from '#transfer/albums.ts';
import type { FilterOptions, Filters } from '#transfer/select.ts';
import { type FoundFile, type WalkEvents, walk } from '#transfer/walk.ts';
import { describeError } from '../errors.ts';
import type { ImageOptions, ServerOptions } from '../options.ts';
import { formatBytes, printable } from '../printable.ts';
import type { Run } from '../run.ts';
import type { Ending } from './importer.ts';
import type { Journal } from './journal.ts';
import type { Report } from './report.ts';
import { describeSummary, type Summary } from './summary.ts';

/** The options of `pixdock import-dir`. */
export interface ImportOptions extends ServerOptions, ImageOptions, FilterOptions {
  album?: string;
  albumPerFolder?: boolean;
  concurrency: number;
  dryRun?: boolean;
  again?: boolean;
  report?: string;
}

/** One run of `pixdock import-dir`. */
export interface Job {
  /** Its real path. */
  folder: string;
  options: ImportOptions;
  filters: Filters;
  journal: Journal;
  run: Run;
  report: Report | undefined;
  summary: Summary;
}

/** A dry run must not clear the journal. */
export function forget(job: Job) {
  if (job.options.dryRun) job.journal = { ...job.journal, has: () => false };
  else job.journal.forgetAll();
}

/** Counts what the walk skips, and reports what it can't open. */
export function events({ folder, summary, run, report }: Job): WalkEvents {
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

/** The bar shows the time left, so all files are counted first. */
export async function startProgress(job: Job, stop: AbortSignal) {
  if (!job.run.terminal.showsProgress) return;
  let files = 0;
  let bytes = 0;
  for await (const file of walk(job.folder, job.filters, { onSkip: () => undefined, onError: () => Promise.resolve() })) {
    if (stop.aborted) return;
    if (job.journal.has(file)) continue;
    files++;
    bytes += file.size;
  }
  job.run.terminal.startProgress(files, bytes);
}

/** Prints what an import would do, with the same walk, filters and journal. */
export async function dryRun(job: Job, stop: AbortSignal): Promise<Ending> {
  const { run, summary, options, report } = job;
  for await (const file of walk(job.folder, job.filters, events(job))) {
    if (stop.aborted) return undefined;
    if (job.journal.has(file)) {
      summary.imported_before++;
      continue;
    }
    summary.uploaded++;
    summary.uploaded_bytes += file.size;
    const album = albumName(job, file);
    const plan = { path: file.relative, size: file.size, ...(album !== undefined && { album }) };
    const where = album === undefined ? '' : ` → ${printable(album)}`;
    await report?.add(file, { status: 'would_upload' });
    run.terminal.line(options.format === 'json' ? JSON.stringify(plan) : `${printable(file.relative)} (${formatBytes(file.size)})${where}`);
  }
  return undefined;
}

/** Images in the folder itself go to an album with its name, others to one named after their path below it. */
export function albumName({ folder, options }: Job, file: FoundFile): string | undefined {
  if (!options.albumPerFolder) return options.album === undefined ? undefined : albumTitle(options.album);
  return albumTitle(file.folder || basename(folder) || folder);
}

/** Prints the summary and how to resume, and finishes the report. @throws CommandError if that can't be written */
export async function conclude(job: Job, startedAt: Date, ending: Ending, stop: AbortSignal) {
  const { run, summary, options, report } = job;
  run.terminal.stopProgress();
  const head = {
    server: run.connection.baseUrl,
    folder: job.folder,
    dry_run: Boolean(options.dryRun),
    complete: !stop.aborted && ending === undefined,
    started_at: startedAt.toISOString(),
    finished_at: new Date().toISOString(),
  };
  for (const sentence of describeSummary(summary, Boolean(options.dryRun))) run.terminal.note(sentence);
  if (ending !== undefined) run.terminal.problem(undefined, `Stopped early: ${describeError(ending)}`);
  if (stop.aborted) run.terminal.note('Interrupted.');
  if (!stop.aborted && ending === undefined) noteUnusedPatterns(job);
  const sentence = options.dryRun ? undefined : howToResume(job, ending, stop);
  if (sentence !== undefined) run.terminal.note(sentence);
  await report?.finish(head, summary);
}

/** A mistyped pattern could publish what it was meant to hold back. */
function noteUnusedPatterns({ filters, folder, run }: Job) {
  for (const pattern of filters.unused())
    run.terminal.note(`--exclude ${JSON.stringify(pattern)} matched nothing. Patterns match paths relative to ${folder}.`);
}

function howToResume({ options, summary }: Job, ending: Ending, stop: AbortSignal): string | undefined {
  const again = `run the same command again${options.again ? ' without --again' : ''}.`;
  const newToken = ending instanceof ApiError && ending.code === 'unauthorized' ? describeNewToken(options) : '';
  if (stop.aborted || ending !== undefined) return `To resume, ${again}${newToken}`;
  if (summary.failed) return `To retry the ${summary.failed === 1 ? 'failed file' : 'failed files'}, ${again}`;
  return undefined;
}

/** Each token has a journal, and keys, of its own; the server recognises the content of images without limits (decision 004). */
function describeNewToken({ expiresIn, maxViews, password, passwordFile }: ImportOptions): string {
  const isLimited = Boolean(expiresIn || maxViews || password || passwordFile);
  return ` With a new token, all files are sent again${isLimited ? ', and those already stored are stored again' : ', but none is stored twice'}.`;
}

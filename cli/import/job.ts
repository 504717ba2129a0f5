import { basename } from 'node:path';
import { getLimits } from '#api/auth/user.ts';
import { ApiError } from '#api/client.ts';
import { takenExts } from '#api/formats.ts';
import type { FormFields } from '#api/images/upload.ts';
import { albumTitle } from '#transfer/albums.ts';
import type { FilterOptions, Filters } from '#transfer/select.ts';
import type { FoundFile } from '#transfer/walk.ts';
import { describeError } from '../errors.ts';
import type { ConvertOptions, ImageOptions, ServerOptions } from '../options.ts';
import type { Run } from '../run.ts';
import type { Ending } from './importer.ts';
import type { Journal } from './journal.ts';
import type { Report } from './report.ts';
import { describeSummary, type Summary } from './summary.ts';

/** The options of `pixdock import-dir`. */
export interface ImportOptions extends ServerOptions, ImageOptions, ConvertOptions, FilterOptions {
  album?: string[];
  albumPerFolder?: boolean;
  takeout?: boolean;
  concurrency: number;
  dryRun?: boolean;
  again?: boolean;
  report?: string;
}

/** The options of every import. */
export type CommonOptions = Omit<ImportOptions, 'album' | 'albumPerFolder' | 'takeout' | keyof FilterOptions>;

/** One run of an import. */
export interface AnyJob {
  options: CommonOptions;
  journal: Journal;
  run: Run;
  report: Report | undefined;
  summary: Summary;
}

/** One run of `pixdock import-dir`. */
export interface Job extends AnyJob {
  /** Its real path. */
  folder: string;
  options: ImportOptions;
  filters: Filters;
  /** Whether one of the files that they select is uploaded. */
  takes(file: Pick<FoundFile, 'relative'>): Promise<boolean>;
}

/** How a run ended. */
export interface Outcome {
  startedAt: Date;
  ending: Ending;
  stop: AbortSignal;
  /** What the report begins with. */
  from: Record<string, unknown>;
  /** Called before it says how to resume, if the run came to its end. */
  onComplete?: () => void;
}

/** Tells whether the account's group may upload videos with an extension, which is asked once there is one. The uploads report a service that doesn't respond. */
export function videosOf({ connection }: Run): (ext: string) => Promise<boolean> {
  let asked: Promise<readonly string[]> | undefined;
  return async (ext) => {
    asked ??= connection.client.call(getLimits, {}).then(
      ({ allowed_exts }) => takenExts(allowed_exts),
      () => [],
    );
    return (await asked).includes(ext);
  };
}

/** The fields of an upload: what the user has chosen for all pictures goes before what is known of one. */
export function chosenFirst(chosen: FormFields, { expires_at, ...own }: FormFields): FormFields {
  const expiry = expires_at !== undefined && chosen.expires_in === undefined ? { expires_at } : {};
  return { ...own, ...expiry, ...chosen };
}

/** A dry run must not clear the journal. */
export function forget(job: AnyJob) {
  if (job.options.dryRun) job.journal = { ...job.journal, has: () => false };
  else job.journal.forgetAll();
}

/** With an album per folder, images in the folder itself go to one with its name, others to one named after their path below it. */
export function albumNames({ folder, options }: Job, file: FoundFile): string[] {
  const names = options.albumPerFolder ? [file.folder || basename(folder) || folder] : (options.album ?? []);
  return [...new Set(names.map(albumTitle))];
}

/** Prints the summary and how to resume, and finishes the report. @throws CommandError if that can't be written */
export async function conclude(job: AnyJob, { startedAt, ending, stop, from, onComplete }: Outcome) {
  const { run, summary, options, report } = job;
  run.terminal.stopProgress();
  const head = {
    server: run.connection.baseUrl,
    ...from,
    dry_run: Boolean(options.dryRun),
    complete: !stop.aborted && ending === undefined,
    started_at: startedAt.toISOString(),
    finished_at: new Date().toISOString(),
  };
  for (const sentence of describeSummary(summary, Boolean(options.dryRun))) run.terminal.note(sentence);
  if (ending !== undefined) run.terminal.problem(undefined, `Stopped early: ${describeError(ending)}`);
  if (stop.aborted) run.terminal.note('Interrupted.');
  if (!stop.aborted && ending === undefined) onComplete?.();
  const sentence = options.dryRun ? undefined : howToResume(job, ending, stop);
  if (sentence !== undefined) run.terminal.note(sentence);
  await report?.finish(head, summary);
}

/** A mistyped pattern could publish what it was meant to hold back. */
export function noteUnusedPatterns({ filters, folder, run }: Job) {
  for (const pattern of filters.unused())
    run.terminal.note(`--exclude ${JSON.stringify(pattern)} matched nothing. Patterns match paths relative to ${folder}.`);
}

function howToResume({ options, summary }: AnyJob, ending: Ending, stop: AbortSignal): string | undefined {
  const again = `run the same command again${options.again ? ' without --again' : ''}.`;
  const newToken = ending instanceof ApiError && ending.code === 'unauthorized' ? describeNewToken(options) : '';
  if (stop.aborted || ending !== undefined) return `To resume, ${again}${newToken}`;
  if (summary.failed) return `To retry the ${summary.failed === 1 ? 'failed file' : 'failed files'}, ${again}`;
  return undefined;
}

/** Each token has a journal, and keys, of its own; the server recognises the content of images without limits (decision 004). */
function describeNewToken({ expiresIn, expiresAt, maxViews, password, passwordFile }: CommonOptions): string {
  const isLimited = Boolean(expiresIn || expiresAt || maxViews || password || passwordFile);
  return ` With a new token, all files are sent again${isLimited ? ', and those already stored are stored again' : ', but none is stored twice'}.`;
}

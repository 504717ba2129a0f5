import { realpath, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { FormFields } from '#api/images/upload.ts';
import { compileFilters, PatternError } from '#transfer/select.ts';
import { AlbumFinder } from '../albums.ts';
import { describeError, EXIT, UsageError } from '../errors.ts';
import { imageFields } from '../options.ts';
import { formatBytes, formatLink, printable } from '../printable.ts';
import { prepare } from '../run.ts';
import { countFiles, filesOf } from './files.ts';
import { type Ending, importFiles } from './importer.ts';
import { albumNames, conclude, forget, type ImportOptions, type Job } from './job.ts';
import { openJournal, openJournalIfAny } from './journal.ts';
import { openReport } from './report.ts';
import { emptySummary } from './summary.ts';

/** The longest wait that a server may ask for, in seconds: a large import can wait for an hourly limit. */
const MAX_WAIT = 3600;

/**
 * Imports a folder.
 * @param stop ends the import after the running uploads
 * @param abort ends it at once
 * @returns the exit code
 */
export async function importFolder(dir: string, options: ImportOptions, stop: AbortSignal, abort: AbortSignal): Promise<number> {
  const folder = await existingFolder(dir);
  if (options.album !== undefined && options.albumPerFolder) throw new UsageError('Use either --album or --album-per-folder, not both.');
  const filters = compilePatterns(options);
  const fields = await imageFields(options);
  const run = await prepare(options, MAX_WAIT);
  const identity = { baseUrl: run.connection.baseUrl, token: run.connection.token, folder };
  const journal = options.dryRun ? openJournalIfAny(run.environment.stateDir, identity) : openJournal(run.environment.stateDir, identity);
  const report = options.report === undefined ? undefined : await openReport(options.report);
  const job = { folder, options, filters, journal, run, report, summary: emptySummary() };
  try {
    const startedAt = new Date();
    if (options.again) forget(job);
    const ending = options.dryRun ? await dryRun(job, stop) : await upload(job, fields, stop, abort);
    job.summary.seconds = (Date.now() - startedAt.getTime()) / 1000;
    await conclude(job, startedAt, ending, stop);
    if (stop.aborted) return EXIT.interrupted;
    return job.summary.failed || ending !== undefined ? EXIT.failed : EXIT.done;
  } finally {
    run.terminal.stopProgress();
    await report?.discard();
    journal.close();
  }
}

function compilePatterns(options: ImportOptions) {
  try {
    return compileFilters(options);
  } catch (error) {
    throw error instanceof PatternError ? new UsageError(error.message) : error;
  }
}

async function existingFolder(dir: string) {
  const folder = await realpath(dir).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Can’t open the folder ${dir}: ${error.code === 'ENOENT' ? 'no such folder' : describeError(error)}.`);
  });
  if (!(await stat(folder)).isDirectory()) throw new UsageError(`${dir} is a file. Use \`pixdock upload\` for files.`);
  return folder;
}

async function upload(job: Job, fields: FormFields, stop: AbortSignal, abort: AbortSignal): Promise<Ending> {
  const { run, options, report, summary } = job;
  await startProgress(job, stop);
  stop.addEventListener('abort', () => run.terminal.note('Finishing uploads in progress. Press Ctrl-C again to cancel them.'), {
    once: true,
  });
  const albums = new AlbumFinder(run.connection.client);
  const prints = options.format ?? options.template ?? !process.stdout.isTTY;
  return importFiles(
    {
      filesUntil: (isOver) => filesOf(job, isOver),
      run,
      journal: job.journal,
      fields,
      concurrency: options.concurrency,
      summary,
      albumsOf: async (file) => {
        const ids: string[] = [];
        for (const name of albumNames(job, file)) ids.push(await albums.findOrCreate(name));
        return ids;
      },
      onUploaded: (file, uploaded) => {
        if (!file.nameIsText) run.terminal.note(`${file.relative}: the name isn’t valid UTF-8 and was stored as shown here.`);
        if (prints) run.terminal.line(formatLink(options, uploaded, posix.basename(file.relative)));
      },
      onResult: async (file, result) => report?.add(file, result),
    },
    stop,
    abort,
  );
}

/** The bar shows the time left, so all files are counted first. */
async function startProgress(job: Job, stop: AbortSignal) {
  if (!job.run.terminal.showsProgress) return;
  const { files, bytes } = await countFiles(job, () => stop.aborted);
  if (!stop.aborted) job.run.terminal.startProgress(files, bytes);
}

/** Prints what an import would do, with the same files. */
async function dryRun(job: Job, stop: AbortSignal): Promise<Ending> {
  const { run, summary, options, report } = job;
  for await (const file of filesOf(job, () => stop.aborted)) {
    summary.uploaded++;
    summary.uploaded_bytes += file.size;
    const albums = albumNames(job, file);
    const plan = { path: file.relative, size: file.size, ...(albums.length > 0 && { album: albums[0], albums }) };
    const where = albums.length > 0 ? ` → ${albums.map(printable).join(', ')}` : '';
    await report?.add(file, { status: 'would_upload' });
    run.terminal.line(options.format === 'json' ? JSON.stringify(plan) : `${printable(file.relative)} (${formatBytes(file.size)})${where}`);
  }
  return undefined;
}

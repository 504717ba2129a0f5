import { realpath, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { PICTURE_EXTS, VIDEO_EXTS } from '#api/formats.ts';
import { albumFields } from '#api/images/album-fields.ts';
import type { FormFields } from '#api/images/upload.ts';
import { albumTitle } from '#transfer/albums.ts';
import { compileFilters, PatternError } from '#transfer/select.ts';
import { AlbumFinder, describeOther } from '../albums.ts';
import { describeError, EMPTY, EXIT, UsageError } from '../errors.ts';
import { imageFields } from '../options.ts';
import { formatLink } from '../printable.ts';
import { type Invocation, LONG_MAX_WAIT, prepare, type Run } from '../run.ts';
import { Completion } from './completion.ts';
import { type Pictures, picturesOf } from './files.ts';
import { type Ending, importFiles } from './importer.ts';
import { chosenFirst, conclude, forget, type ImportOptions, type Job, noteUnusedPatterns, videosOf } from './job.ts';
import { openJournal, openJournalIfAny } from './journal.ts';
import type { Picture } from './picture.ts';
import { describePlan, planOf } from './plan.ts';
import { openReport } from './report.ts';
import { emptySummary } from './summary.ts';

interface Stops {
  /** Ends the import after the running uploads. */
  stop: AbortSignal;
  /** Ends it at once. */
  abort: AbortSignal;
}

/**
 * Imports a folder.
 * @returns the exit code
 */
export async function importFolder(invocation: Invocation, dir: string, options: ImportOptions, { stop, abort }: Stops): Promise<number> {
  const folder = await existingFolder(dir);
  if (options.album !== undefined && options.albumPerFolder) throw new UsageError('Use either --album or --album-per-folder, not both.');
  if (options.takeout && options.albumPerFolder)
    throw new UsageError('--takeout takes the albums from the export. Leave out --album-per-folder.');
  const filters = compilePatterns(options);
  const fields = await imageFields(options);
  const run = await prepare(invocation, options, LONG_MAX_WAIT);
  const identity = { baseUrl: run.connection.baseUrl, token: run.connection.token, folder };
  using journal = options.dryRun ? openJournalIfAny(run.environment.stateDir, identity) : openJournal(run.environment.stateDir, identity);
  await using report = options.report === undefined ? undefined : await openReport(options.report);
  const job = { folder, options, filters, takes: taking(run, options), journal, run, report, summary: emptySummary() };
  try {
    const startedAt = new Date();
    if (options.again) forget(job);
    const pictures = await picturesOf(job, stop);
    const ending = options.dryRun ? await dryRun(job, pictures, stop) : await upload({ job, pictures, fields }, stop, abort);
    job.summary.seconds = (Date.now() - startedAt.getTime()) / 1000;
    await conclude(job, { startedAt, ending, stop, from: { folder }, onComplete: () => noteUnusedPatterns(job) });
    if (stop.aborted) return EXIT.interrupted;
    const isIncomplete = job.summary.failed || ending !== undefined || leavesOut(job);
    return isIncomplete ? EXIT.failed : EXIT.done;
  } finally {
    run.terminal.stopProgress();
  }
}

/** Without `--include`, videos are taken where the account's group may upload them. */
function taking(run: Run, { include }: ImportOptions): Job['takes'] {
  const takesVideo = videosOf(run);
  return async ({ relative }) => {
    const ext = posix.extname(relative).slice(1).toLowerCase();
    return include !== undefined || !VIDEO_EXTS.includes(ext) || (await takesVideo(ext));
  };
}

function compilePatterns(options: ImportOptions) {
  try {
    return compileFilters({ ...options, exts: [...PICTURE_EXTS, ...VIDEO_EXTS] });
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

/** Whether favourites or albums of an export are missing, because the token can only upload. */
function leavesOut({ summary: { takeout } }: Job) {
  return takeout !== undefined && takeout.left_out.favourites + takeout.left_out.in_albums > 0;
}

interface Upload {
  job: Job;
  pictures: Pictures;
  /** The fields of all uploads. */
  fields: FormFields;
}

async function upload({ job, pictures, fields }: Upload, stop: AbortSignal, abort: AbortSignal): Promise<Ending> {
  const { run, options, report, summary } = job;
  const completion = summary.takeout && (await Completion.start(run, summary.takeout.left_out, stop));
  const isLimited = completion?.mayChange === false;
  await startProgress(job, pictures, stop);
  stop.addEventListener('abort', () => run.terminal.note('Finishing uploads in progress. Press Ctrl-C again to cancel them.'), {
    once: true,
  });
  const albums = new AlbumFinder(run.connection.client, (album) => run.terminal.note(describeOther(album)));
  const chosen = new Set((options.album ?? []).map(albumTitle));
  const prints = options.format ?? options.template ?? !run.io.stdout.isTTY;
  const ending = await importFiles(
    {
      picturesUntil: (isOver) => pictures.until(isOver),
      run,
      journal: job.journal,
      fields,
      concurrency: options.concurrency,
      summary,
      completion,
      fieldsOf: (picture, ids) => chosenFirst(fields, completion?.fieldsOf(picture, ids) ?? { ...picture.time, ...albumFields(ids) }),
      albumsOf: async (picture) => {
        const ids: string[] = [];
        for (const name of isLimited ? chosen : picture.albums)
          ids.push(chosen.has(name) ? (await albums.findOrCreateNamed(name)).id : await albums.findOrCreate(name));
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
  if (ending === undefined && !stop.aborted && completion?.mayChange) await pictures.finish?.(albums, stop);
  return ending;
}

/** The bar shows the time left, so all files are counted first. */
async function startProgress(job: Job, pictures: Pictures, stop: AbortSignal) {
  if (!job.run.terminal.showsProgress) return;
  const { files, bytes } = await pictures.count(() => stop.aborted);
  if (!stop.aborted) job.run.terminal.startProgress(files, bytes);
}

/** Why a file couldn't be uploaded. */
async function problemOf({ file, open }: Picture): Promise<string | undefined> {
  if (file.size === 0) return EMPTY;
  try {
    await using _ = await open();
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

/** Prints what an import would do, with the same files. */
async function dryRun({ run, summary, options, report }: Job, pictures: Pictures, stop: AbortSignal): Promise<Ending> {
  for await (const picture of pictures.until(() => stop.aborted)) {
    const { file, takeout } = picture;
    if (summary.takeout && takeout) summary.takeout.copies += takeout.copies.length + (takeout.known ? 1 : 0);
    const problem = await problemOf(picture);
    if (problem !== undefined) {
      summary.failed++;
      run.terminal.problem(file.relative, problem);
      await report?.add(file, { status: 'failed', error: problem });
      continue;
    }
    if (!takeout?.known) {
      summary.uploaded++;
      summary.uploaded_bytes += file.size;
    }
    await report?.add(file, { status: 'would_upload' });
    run.terminal.line(options.format === 'json' ? JSON.stringify(planOf(picture)) : describePlan(picture));
  }
  return undefined;
}

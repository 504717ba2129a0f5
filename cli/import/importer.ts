import { posix } from 'node:path';
import pMap from 'p-map';
import { ApiError, NetworkError } from '#api/client.ts';
import type { ErrorCode } from '#api/errors.ts';
import { linkOf } from '#api/link-formats.ts';
import type { FormFields, Uploaded } from '#api/upload.ts';
import { AlbumError } from '../albums.ts';
import { describeError } from '../errors.ts';
import { withRetries } from '../retry.ts';
import type { Run } from '../run.ts';
import { uploadImage } from '../upload-image.ts';
import { type Journal, JournalError } from './journal.ts';
import type { FileResult } from './report.ts';
import type { Summary } from './summary.ts';
import type { FoundFile } from './walk.ts';

export interface Import {
  run: Run;
  journal: Journal;
  fields: FormFields;
  concurrency: number;
  /** The album of a file; undefined for none. */
  albumOf(file: FoundFile): Promise<string | undefined>;
  onUploaded(file: FoundFile, uploaded: Uploaded): void;
  onResult(file: FoundFile, result: FileResult): Promise<void>;
  summary: Summary;
}

/** Why an import ended before its last file. */
export type Ending = Error | undefined;

/** Refusals that every further file would meet as well. */
const HOPELESS: readonly ErrorCode[] = [
  'unauthorized',
  'forbidden',
  'guest_disabled',
  'unknown_host',
  'quota_exceeded',
  'storage_full',
  'policy_not_allowed',
  'album_not_found',
  'expires_over_group',
  'max_views_over_group',
];
/** So many files in a row that could not reach the server, each with all its retries: it is gone. */
const GONE_AFTER = 3;

/**
 * Uploads what a walk finds, several at a time. A file that fails does not stop the others, unless they would all fail.
 * @param stop ends the import after the uploads that are under way
 * @param abort ends these as well
 */
export async function importFiles(files: AsyncIterable<FoundFile>, job: Import, stop: AbortSignal, abort: AbortSignal): Promise<Ending> {
  let ending: Ending;
  let unreachable = 0;
  const upTo = async function* () {
    for await (const file of files) {
      if (stop.aborted || ending !== undefined) return;
      if (!job.journal.has(file)) yield file;
      else job.summary.imported_before++;
    }
  };
  const importNext = async (file: FoundFile) => {
    if (stop.aborted || ending !== undefined) return;
    try {
      await importOne(file, job, stop, abort);
      unreachable = 0;
    } catch (error) {
      // The picture has been uploaded, but without a memory of it no run could go on where this one ended.
      if (error instanceof JournalError) ending ??= error;
      // What was interrupted has not failed: the next run takes it. The same goes for what the end of this import has caught.
      if (stop.aborted || (ending !== undefined && endsImport(error))) return;
      unreachable = isUnreachable(error) ? unreachable + 1 : 0;
      if (endsImport(error) && (!isUnreachable(error) || unreachable >= GONE_AFTER)) ending = error;
      await reportFailure(file, job, error);
    }
  };
  await pMap(upTo(), importNext, { concurrency: job.concurrency });
  return ending;
}

/** Whether other files would meet the same. */
function endsImport(error: unknown): error is Error {
  if (error instanceof ApiError) return HOPELESS.includes(error.code);
  return error instanceof AlbumError || error instanceof JournalError || isUnreachable(error);
}

function isUnreachable(error: unknown) {
  return error instanceof NetworkError && error.status === undefined;
}

async function importOne(file: FoundFile, job: Import, stop: AbortSignal, abort: AbortSignal) {
  const { run, summary } = job;
  const image = {
    name: posix.basename(file.relative),
    path: file.path,
    size: file.size,
    dispose: () => Promise.resolve(),
  };
  const onBytes = (bytes: number) => run.terminal.advance({ bytes });
  const attempt = async () => {
    const albumId = await job.albumOf(file);
    const fields = { ...job.fields, ...takenAt(file), ...(albumId !== undefined && { album_id: albumId }) };
    return uploadImage(run.connection, image, fields, { timeout: run.timeout, signal: abort, onBytes });
  };
  const uploaded = await withRetries(attempt, { ...run.retrying, signal: stop });
  summary.uploaded++;
  summary.uploaded_bytes += file.size;
  if (uploaded.reused) summary.reused++;
  job.journal.add(file, uploaded.key);
  run.terminal.advance({ files: 1 });
  job.onUploaded(file, uploaded);
  const { key, album_id, reused } = uploaded;
  await job.onResult(file, { status: reused ? 'reused' : 'uploaded', key, url: linkOf(uploaded, 'url'), album_id });
}

async function reportFailure(file: FoundFile, job: Import, error: unknown) {
  const reason = describeError(error);
  job.summary.failed++;
  job.run.terminal.advance({ files: 1, bytes: file.size });
  job.run.terminal.problem(file.relative, reason);
  await job.onResult(file, { status: 'failed', error: reason });
}

/** The file's time of change, for pictures that do not say themselves when they were taken. */
function takenAt({ mtime }: FoundFile): FormFields {
  const ms = Number(mtime / 1_000_000n);
  return ms > 0 && ms <= Date.now() ? { taken_at: new Date(ms).toISOString() } : {};
}

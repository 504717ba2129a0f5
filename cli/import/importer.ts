import { posix } from 'node:path';
import pMap from 'p-map';
import { isGone } from '#api/failures.ts';
import { albumFields } from '#api/images/album-fields.ts';
import type { FormFields, UploadResult } from '#api/images/upload.ts';
import { linkOf } from '#api/sharing/link-formats.ts';
import { takenAt } from '#transfer/taken-at.ts';
import type { FoundFile } from '#transfer/walk.ts';
import { describeError } from '../errors.ts';
import { concernsAllFiles, isUnreachable } from '../failures.ts';
import { withRetries } from '../retry.ts';
import type { Run } from '../run.ts';
import { uploadImage } from '../upload-image.ts';
import { type Journal, JournalError } from './journal.ts';
import type { FileResult } from './report.ts';
import type { Summary } from './summary.ts';

export interface Import {
  /** The files to upload, until `isOver` returns true. */
  filesUntil(isOver: () => boolean): AsyncIterable<FoundFile>;
  run: Run;
  journal: Journal;
  fields: FormFields;
  concurrency: number;
  /** The ids of a file's albums. */
  albumsOf(file: FoundFile): Promise<string[]>;
  onUploaded(file: FoundFile, uploaded: UploadResult): void;
  onResult(file: FoundFile, result: FileResult): Promise<void>;
  summary: Summary;
}

/** Why an import ended before its last file. */
export type Ending = Error | undefined;

/** Files in a row, each with all its retries, after which an unreachable server ends the import. */
const MAX_UNREACHABLE = 3;

/**
 * Uploads files, several at a time. A file that fails doesn't stop the others, unless all would fail.
 * @param stop ends the import after the running uploads
 * @param abort ends those as well
 */
export async function importFiles(job: Import, stop: AbortSignal, abort: AbortSignal): Promise<Ending> {
  let ending: Ending;
  let unreachable = 0;
  const isOver = () => stop.aborted || ending !== undefined;
  const importNext = async (file: FoundFile) => {
    if (isOver()) return;
    try {
      await importOne(file, job, stop, abort);
      unreachable = 0;
    } catch (error) {
      // The image has been uploaded, but without the journal no run could resume where this one ended.
      if (error instanceof JournalError) ending ??= error;
      // An interrupted upload hasn't failed: the next run repeats it. The same applies to uploads that the end of this import cut off.
      if (stop.aborted || (ending !== undefined && endsImport(error))) return;
      unreachable = isUnreachable(error) ? unreachable + 1 : 0;
      if (endsImport(error) && (!isUnreachable(error) || unreachable >= MAX_UNREACHABLE)) ending = error;
      await reportFailure(file, job, error);
    }
  };
  await pMap(job.filesUntil(isOver), importNext, { concurrency: job.concurrency });
  return ending;
}

/** Whether other files would fail in the same way. */
function endsImport(error: unknown): error is Error {
  return error instanceof JournalError || concernsAllFiles(error);
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
  let albumIds: string[] = [];
  const attempt = async (newKey?: string) => {
    albumIds = await job.albumsOf(file);
    const fields = { ...job.fields, ...takenAt(Number(file.mtime / 1_000_000n)), ...albumFields(albumIds) };
    const idempotencyKey = newKey ?? job.journal.uploadKey(file, fields);
    return uploadImage(run.connection, image, fields, { timeout: run.timeout, signal: abort, idempotencyKey, onBytes });
  };
  const uploaded = await withRetries(attempt, { ...run.retrying, signal: stop }).catch(undefinedIfGone);
  if (!uploaded) {
    summary.imported_before++;
    job.journal.add(file, undefined);
    run.terminal.advance({ files: 1, bytes: file.size });
    return;
  }
  summary.uploaded++;
  summary.uploaded_bytes += file.size;
  if (uploaded.reused) summary.reused++;
  job.journal.add(file, uploaded.key);
  run.terminal.advance({ files: 1 });
  job.onUploaded(file, uploaded);
  const { key, album_id = albumIds[0] ?? null, albums = albumIds, reused } = uploaded;
  await job.onResult(file, { status: reused ? 'reused' : 'uploaded', key, url: linkOf(uploaded, 'url'), album_id, albums });
}

/** An earlier run uploaded it but got no response, and its owner has deleted or replaced it since: importing must not bring it back. */
function undefinedIfGone(error: unknown): undefined {
  if (!isGone(error)) throw error;
}

async function reportFailure(file: FoundFile, job: Import, error: unknown) {
  const reason = describeError(error);
  job.summary.failed++;
  job.run.terminal.advance({ files: 1, bytes: file.size });
  job.run.terminal.problem(file.relative, reason);
  await job.onResult(file, { status: 'failed', error: reason });
}

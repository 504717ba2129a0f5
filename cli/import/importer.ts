import pMap from 'p-map';
import { ApiError } from '#api/client.ts';
import { isGone } from '#api/failures.ts';
import type { FormFields, UploadResult } from '#api/images/upload.ts';
import { linkOf } from '#api/sharing/link-formats.ts';
import { CredentialsError, ItemGone } from '#transfer/sources/client.ts';
import { describeError } from '../errors.ts';
import { concernsAllFiles, isUnreachable } from '../failures.ts';
import type { ImageSource } from '../image-source.ts';
import type { Run } from '../run.ts';
import { uploadImage } from '../upload-image.ts';
import type { Completion } from './completion.ts';
import { type Brought, type Journal, JournalError } from './journal.ts';
import { filesOfPicture, type Picture, type PictureFile } from './picture.ts';
import type { FileResult } from './report.ts';
import type { Summary } from './summary.ts';

export interface Import {
  /** The pictures to upload, until `isOver` returns true. */
  picturesUntil(isOver: () => boolean): AsyncIterable<Picture>;
  /** Says more of a picture once its turn has come. */
  complete?(picture: Picture): Promise<Picture>;
  run: Run;
  journal: Journal;
  fields: FormFields;
  concurrency: number;
  /** The ids of a picture's albums. */
  albumsOf(picture: Picture): Promise<string[]>;
  /** The fields of a picture's upload, beside those of all. */
  fieldsOf(picture: Picture, albumIds: string[]): FormFields;
  /** With a Google Takeout, or another product. */
  completion: Completion | undefined;
  onUploaded(file: PictureFile, uploaded: UploadResult): void;
  onResult(file: PictureFile, result: FileResult): Promise<void>;
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
  const importNext = async (picture: Picture) => {
    if (isOver()) return;
    try {
      await importOne(picture, job, stop, abort);
      unreachable = 0;
    } catch (error) {
      // The image has been uploaded, but without the journal no run could resume where this one ended.
      if (error instanceof JournalError) ending ??= error;
      // An interrupted upload hasn't failed: the next run repeats it. The same applies to uploads that the end of this import cut off.
      if (stop.aborted || (ending !== undefined && endsImport(error))) return;
      unreachable = isUnreachable(error) ? unreachable + 1 : 0;
      if (endsImport(error) && !isOwnLimit(picture, error) && (!isUnreachable(error) || unreachable >= MAX_UNREACHABLE)) ending = error;
      await reportFailure(picture, job, error);
    }
  };
  await pMap(job.picturesUntil(isOver), importNext, { concurrency: job.concurrency });
  return ending;
}

/** Whether other files would fail in the same way. */
function endsImport(error: unknown): error is Error {
  return error instanceof JournalError || error instanceof CredentialsError || concernsAllFiles(error);
}

/** Whether the server refuses what only this picture has. */
const isOwnLimit = ({ remote }: Picture, error: unknown) =>
  remote !== undefined && error instanceof ApiError && /_over_group$/.test(error.code);

async function importOne(listed: Picture, job: Import, stop: AbortSignal, abort: AbortSignal) {
  if (listed.takeout?.known) return importCopies(listed, listed.takeout.known.key, job, stop);
  try {
    const picture = (await job.complete?.(listed)) ?? listed;
    await using image = { ...(await picture.open()), name: picture.name };
    await send(picture, image, job, stop, abort);
  } catch (error) {
    if (!(error instanceof ItemGone)) throw error;
    await noteGone(listed, job);
  }
}

async function send(picture: Picture, image: ImageSource, job: Import, stop: AbortSignal, abort: AbortSignal) {
  const { file } = picture;
  const { run, summary } = job;
  const onBytes = (bytes: number) => run.terminal.advance({ bytes });
  let albumIds: string[] = [];
  const attempt = async (newKey?: string) => {
    albumIds = await job.albumsOf(picture);
    const fields = { ...job.fields, ...job.fieldsOf(picture, albumIds) };
    const idempotencyKey = newKey ?? job.journal.uploadKey(file, fields);
    return uploadImage(run.connection, image, fields, { timeout: run.timeout, signal: abort, idempotencyKey, onBytes });
  };
  const uploaded = await run.withRetries(attempt, stop).catch(undefinedIfGone);
  if (!uploaded) return skipGone(picture, job);
  // Before the journal: a run that ends here is repeated.
  await job.completion?.finish(picture, uploaded);
  summary.uploaded++;
  summary.uploaded_bytes += image.size;
  if (uploaded.reused) summary.reused++;
  job.journal.add(file, uploaded.key, broughtBy(picture, uploaded));
  run.terminal.advance({ files: 1 });
  job.onUploaded(file, uploaded);
  const { key, album_id = albumIds[0] ?? null, albums = albumIds, reused } = uploaded;
  await job.onResult(file, { status: reused ? 'reused' : 'uploaded', key, url: linkOf(uploaded, 'url'), album_id, albums });
  await noteCopies(picture.takeout?.copies ?? [], key, job);
}

/** Files whose bytes an earlier run has uploaded: only their albums are new. */
async function importCopies(picture: Picture, key: string | undefined, job: Import, stop: AbortSignal) {
  const add = async () => key !== undefined && job.completion?.addTo(picture, key, await job.albumsOf(picture));
  if (!(await job.run.withRetries(add, stop))) return skipGone(picture, job);
  await noteCopies(filesOfPicture(picture), key, job);
}

async function noteCopies(files: PictureFile[], key: string | undefined, job: Import) {
  for (const file of files) {
    if (job.summary.takeout) job.summary.takeout.copies++;
    job.journal.add(file, key);
    job.run.terminal.advance({ files: 1, bytes: file.size });
    await job.onResult(file, { status: 'copy', key });
  }
}

/** What the journal keeps of a picture from another product. A token that can only upload isn't told everything. */
function broughtBy({ remote }: Picture, { links, size, sha256 }: UploadResult): Brought | undefined {
  if (!remote?.bytes) return undefined;
  const result = size !== undefined && sha256 !== undefined ? { size, sha256 } : undefined;
  return { url: links.url, source: remote.bytes, result };
}

/** The picture has been deleted at its source since it was listed. */
async function noteGone({ file }: Picture, { summary, run, onResult }: Import) {
  if (summary.source) summary.source.gone++;
  run.terminal.advance({ files: 1, bytes: file.size });
  await onResult(file, { status: 'gone' });
}

/** The picture has been deleted since an earlier run. */
function skipGone(picture: Picture, { summary, journal, run }: Import) {
  for (const file of filesOfPicture(picture)) {
    summary.imported_before++;
    journal.add(file, undefined);
    run.terminal.advance({ files: 1, bytes: file.size });
  }
}

/** An earlier run uploaded it but got no response, and its owner has deleted or replaced it since: importing must not bring it back. */
function undefinedIfGone(error: unknown): undefined {
  if (!isGone(error)) throw error;
}

async function reportFailure({ file }: Picture, job: Import, error: unknown) {
  const reason = describeError(error);
  job.summary.failed++;
  job.run.terminal.advance({ files: 1, bytes: file.size });
  job.run.terminal.problem(file.relative, reason);
  await job.onResult(file, { status: 'failed', error: reason });
}

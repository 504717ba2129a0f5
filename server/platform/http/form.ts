import type { Readable, Writable } from 'node:stream';
import type { Request, Response } from 'express';
import type { StorageEngine } from 'multer';
import { MAX_POSTER_BYTES } from '#api/constants.ts';
import { hasTrait } from '#api/formats.ts';
import { cutText } from '#api/plain-text.ts';
import { fileTooLarge, InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import { whileArriving } from '#server/platform/http/limits/bodies.ts';
import { isMultipart, readMultipart } from '#server/platform/http/multipart.ts';
import { sniff } from '#server/platform/imaging/sniff.ts';
import type { StagedFile, StagedWriter } from '#server/platform/storage/staged.ts';
import { type Staging, toWritable } from '#server/platform/storage/staging.ts';

/** The file of a form, complete. */
export interface ReceivedFile extends StagedFile {
  /** The client's file name. Untrusted. */
  name: string;
  /** The picture that was sent with it, to stand for a video. */
  poster?: StagedFile | undefined;
}

/** A form that has arrived whole. Disposing of it removes its file. */
export interface ReceivedForm extends AsyncDisposable {
  fields: Record<string, unknown>;
  file: ReceivedFile | undefined;
  /** Another field with a file, if there is one. */
  otherField: string | undefined;
}

/** What is known before a form arrives. */
export interface FormOptions {
  /** Largest accepted file; 0: unlimited. */
  maxBytes: number;
  /** The same of a video, with which a poster may be sent; undefined: as for other files. */
  maxVideoBytes?: number | undefined;
}

const FIELD_LIMITS = { fieldNameSize: 200, fieldSize: 64 * 1024, fields: 100, files: 10, parts: 110, headerPairs: 100 };

/**
 * Reads an upload form: its file streams into `tmp/`, or into memory if it is small, and is hashed, wherever it is among the fields.
 * @throws RequestError `file_too_large` as soon as the limit is passed, `invalid_request` for a malformed form
 */
export async function receiveForm(
  request: Request,
  response: Response,
  staging: Staging,
  { maxBytes, maxVideoBytes = maxBytes }: FormOptions,
): Promise<ReceivedForm> {
  if (!isMultipart(request))
    throw new RequestError('unsupported_media_type', 'Send the picture as multipart/form-data, in the field “file”.');
  await using files = new AsyncDisposableStack();
  const stager = files.use(createStager(() => staging.create(announcedBytes(request) || undefined)));
  const form = await receive(request, response, stager, { maxBytes, maxVideoBytes });
  const kept = files.move();
  return { ...form, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function receive(
  request: Request,
  response: Response,
  stager: Stager,
  { maxBytes, maxVideoBytes }: { maxBytes: number; maxVideoBytes: number },
): Promise<Pick<ReceivedForm, 'fields' | 'file' | 'otherField'>> {
  const limits = { ...FIELD_LIMITS, fileSize: Number.MAX_SAFE_INTEGER };
  const { promise: tooLarge, reject } = Promise.withResolvers<never>();
  const limitOf = (field: string, head: Uint8Array) => {
    if (field === POSTER_FIELD) return MAX_POSTER_BYTES;
    const format = sniff(head);
    return format && hasTrait(format, 'video') ? maxVideoBytes : maxBytes;
  };
  // As soon as the limit is hit: the parser reports it only once the client has sent everything.
  const storage = stager.engine(limitOf, (limit) => reject(fileTooLarge(limit)));
  const read = readMultipart(request, { storage, limits, fileField: 'file' });
  const { fields, files } = await whileArriving(response, Promise.race([read, tooLarge]));
  const [file, another] = files.filter(isPicture);
  if (another) throw new InvalidRequestError('Send one picture per request.', { field: 'file' });
  const poster = files.find(({ fieldname, size }) => fieldname === POSTER_FIELD && size > 0);
  return {
    fields,
    file:
      file && Object.assign(stager.staged(file.filename), { name: file.originalname, poster: poster && stager.staged(poster.filename) }),
    otherField: files.find(({ fieldname }) => fieldname !== 'file')?.fieldname,
  };
}

/** The field with the poster of a video. */
const POSTER_FIELD = 'poster';

/** A page whose field for a file was left empty sends neither a name nor bytes. */
const isPicture = ({ fieldname, originalname, size }: Express.Multer.File) => fieldname === 'file' && (originalname !== '' || size > 0);

/** The size that a request announces, in bytes; 0 when it announces none. */
export const announcedBytes = ({ headers }: Request) => Number(headers['content-length'] ?? 0);

/** Allowance for the parts of a form around its file: boundaries, names, text fields. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;

/** @param maxBytes largest accepted file; 0: unlimited. @throws RequestError `file_too_large` when a form announces more, before it is read */
export function requireAnnouncedFits(announced: number, maxBytes: number): void {
  if (maxBytes > 0 && announced > maxBytes + FORM_OVERHEAD_BYTES) throw fileTooLarge(maxBytes);
}

/** Stages the parts named `file` and `poster`, and skips all others, which third-party tools send. Disposing of it stops and removes them. */
interface Stager extends AsyncDisposable {
  /** @param limitOf the largest file of a field that begins with some bytes; 0: unlimited */
  engine(limitOf: (field: string, head: Uint8Array) => number, onTooLarge: (limit: number) => void): StorageEngine;
  /** The file with this name. */
  staged(name: string): StagedFile;
}

function createStager(createWriter: () => Promise<StagedWriter>): Stager {
  const writers: StagedWriter[] = [];
  const parts: Promise<unknown>[] = [];
  const sinks: Writable[] = [];
  const files: StagedFile[] = [];
  let isDisposed = false;

  async function stage(stream: Readable, require: (bytes: Uint8Array) => void): Promise<Partial<Express.Multer.File>> {
    const writer = await createWriter();
    writers.push(writer);
    if (isDisposed) throw new Error('the form was discarded before its file was opened');
    const sink = toWritable({
      async write(bytes) {
        require(bytes);
        await writer.write(bytes);
      },
    });
    sinks.push(sink);
    await copy(stream, sink);
    const file = await writer.finish();
    return { filename: String(files.push(file) - 1), size: file.size };
  }

  return {
    engine: (limitOf, onTooLarge) => ({
      _handleFile(_request, { fieldname, stream }, done) {
        if (fieldname !== 'file' && fieldname !== POSTER_FIELD) {
          stream.resume();
          return done(null, {});
        }
        let limit: number | undefined;
        let size = 0;
        const staged = stage(stream, (bytes) => {
          limit ??= limitOf(fieldname, bytes);
          size += bytes.length;
          if (limit === 0 || size <= limit) return;
          onTooLarge(limit);
          throw fileTooLarge(limit);
        });
        parts.push(staged);
        staged.then((file) => done(null, file), done);
      },
      _removeFile(_request, _file, done) {
        done(null); // disposing of the stager removes every staged file
      },
    }),
    staged(name) {
      const file = files[Number(name)];
      if (!file) throw new Error(`${name} isn’t a file of this form`);
      return file;
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      for (const sink of sinks) sink.destroy();
      await Promise.allSettled(parts);
      for (const writer of writers) await writer[Symbol.asyncDispose]();
    },
  };
}

/** Resolves once all of a stream is written. Of the two, only the sink reports that it is closed; `pipeline` costs several times as much. */
function copy(stream: Readable, sink: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.on('finish', resolve).on('error', reject);
    const ended = () => new Error('the form ended before its file');
    sink.on('close', () => sink.writableFinished || reject(ended()));
    // A short form may have arrived, and failed, before there was a sink.
    if (stream.destroyed) reject(stream.errored ?? ended());
    else stream.on('error', reject).pipe(sink);
  });
}

/** The file of a form. @throws RequestError when there is none, or an empty one */
export function requireFile({ file, otherField }: Pick<ReceivedForm, 'file' | 'otherField'>): ReceivedFile {
  if (!file) throw new InvalidRequestError(`${whereElse(otherField)} Send it in the field “file”.`, { field: 'file' });
  if (file.size === 0) throw new RequestError('damaged_image', 'The file is empty.', { field: 'file' });
  return file;
}

const whereElse = (field: string | undefined) =>
  field === undefined ? 'The form contains no picture.' : `The form’s picture is in the field “${cutText(field, 60)}”.`;

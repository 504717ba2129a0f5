import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { finished, type Readable, Transform, type TransformCallback } from 'node:stream';
import { TextDecoder } from 'node:util';
import type { Request, Response } from 'express';
import multer, { MulterError, type Options, type StorageEngine } from 'multer';
import { cutText } from '#api/plain-text.ts';
import { fileTooLarge, InvalidRequestError } from '#server/platform/base/errors.ts';
import { decodeText, fileNameIn, parseHeader } from '#server/platform/base/header-parameters.ts';

/** The fields and files of a form. */
export interface MultipartForm {
  fields: Record<string, unknown>;
  files: Express.Multer.File[];
}

interface MultipartOptions {
  storage: StorageEngine;
  limits: NonNullable<Extract<Options['limits'], object>> & { fileSize: number; parts: number };
  /** The field whose parts are files, whatever their headers say; in others, texts may have file names. Undefined: any field may have files. */
  fileField?: string;
}

/** Whether a request is a form with files; type-is doesn't read headers that a client has written carelessly. */
export const isMultipart = ({ headers }: { headers: IncomingHttpHeaders }) => typeOf(headers).value === 'multipart/form-data';

/**
 * Reads a form with multer. What reaches it is rewritten: it skips every part whose header it can't read, and a setting that got
 * lost could make a private picture public.
 * @throws InvalidRequestError, RequestError `file_too_large`
 */
export async function readMultipart(
  request: Readable & { headers: IncomingHttpHeaders },
  { storage, limits, fileField }: MultipartOptions,
): Promise<MultipartForm> {
  const form = new Rewritten(boundaryOf(request.headers), limits.parts, fileField);
  finished(request, { writable: false }, (error) => {
    if (error) form.destroy(new InvalidRequestError('The upload was interrupted.'));
  });
  const parse = multer({ storage, defParamCharset: 'utf8', limits }).any();
  const read = new Promise<void>((resolve, reject) => {
    // It uses nothing of Express, and not the response.
    parse(request.pipe(form) as unknown as Request, {} as Response, (error: unknown) => (error ? reject(error) : resolve()));
  });
  await read.catch((error: unknown) => {
    throw error instanceof MulterError ? toRefusal(error, limits.fileSize) : error;
  });
  const { body, files = [] } = form as Partial<Pick<Request, 'body'>> & { files?: Express.Multer.File[] };
  return { fields: { ...body }, files: files.map((file) => (file.originalname === UNNAMED ? { ...file, originalname: '' } : file)) };
}

function toRefusal(error: MulterError, maxBytes: number): Error {
  if (error.code === 'LIMIT_FILE_SIZE') return fileTooLarge(maxBytes);
  return new InvalidRequestError(`Couldn’t read the form: ${error.message}.`, error.field ? { field: error.field } : {});
}

const typeOf = (headers: IncomingHttpHeaders) => parseHeader(headers['content-type'] ?? '');

/** More than RFC 2046 allows. */
const MAX_BOUNDARY = 200;

function boundaryOf(headers: IncomingHttpHeaders): string {
  const boundary = typeOf(headers).parameters.get('boundary') ?? '';
  if (boundary === '')
    throw new InvalidRequestError('The form’s Content-Type names no boundary. Let your program’s HTTP library set this header.');
  if (boundary.length > MAX_BOUNDARY) throw new InvalidRequestError(`The form’s boundary is longer than ${MAX_BOUNDARY} characters.`);
  return boundary;
}

const MAX_HEAD_BYTES = 8 * 1024;
/** Before the first boundary and after the last one, where nothing belongs. */
const MAX_OUTSIDE_BYTES = 64 * 1024;
/** Spaces after a boundary, which RFC 2046 allows. */
const MAX_PADDING = 100;
/** Stands for the name of a file that has none: multer skips such files. */
const UNNAMED = '\uffff';
const NOTHING = Buffer.alloc(0);

/** Where a line with a boundary ends, or that more bytes must tell. */
type BoundaryLine = { next: number; isLast: boolean; isCrLf: boolean } | 'unfinished';

/**
 * A form as multer reads it, made from one as clients send it: with a boundary of its own, which can't occur in a picture, and a
 * header of known form before each part. Holds no more than a header at a time.
 */
class Rewritten extends Transform {
  readonly #boundary = randomBytes(18).toString('base64url');
  /** What multer reads of a request. */
  readonly headers = { 'content-type': `multipart/form-data; boundary=${this.#boundary}`, 'transfer-encoding': 'chunked' };
  readonly #named: string;
  readonly #delimiter: Buffer;
  readonly #maxParts: number;
  readonly #fileField: string | undefined;
  /** Begins as after a line, since a form begins with a boundary. */
  #held: Buffer = Buffer.from('\n');
  #place: 'before' | 'head' | 'body' | 'after' = 'before';
  #part = 0;
  #outside = 0;
  /** Whether lines end with CR LF, as they should; otherwise, a CR before a LF belongs to the part. */
  #isCrLf = true;
  /** Of a text in another charset than UTF-8. */
  #decoder: TextDecoder | undefined;

  constructor(boundary: string, maxParts: number, fileField: string | undefined) {
    super();
    this.#named = boundary;
    this.#delimiter = Buffer.from(`\n--${boundary}`, 'latin1');
    this.#maxParts = maxParts;
    this.#fileField = fileField;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
    this.#held = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#attempt(() => this.#read(false), done);
  }

  override _flush(done: TransformCallback) {
    this.#attempt(() => {
      this.#read(true);
      this.#requireEnd();
    }, done);
  }

  #attempt(work: () => void, done: TransformCallback) {
    try {
      work();
    } catch (error) {
      return done(error as Error);
    }
    done();
  }

  /** @param isLast whether nothing follows what is held */
  #read(isLast: boolean) {
    while (this.#place === 'head' ? this.#readHead(isLast) : this.#readTo(isLast));
  }

  #readTo(isLast: boolean): boolean {
    const data = this.#held;
    for (let at = this.#findDelimiter(0); at !== -1; at = this.#findDelimiter(at + 1)) {
      const line = boundaryLine(data, at + this.#delimiter.length, isLast);
      if (!line) continue; // only the beginning is that of the boundary
      const end = this.#isCrLf && data[at - 1] === CR ? at - 1 : at;
      this.#pass(end);
      if (line === 'unfinished') return false;
      if (this.#decoder) this.push(this.#decoder.decode());
      this.#held = data.subarray(line.next);
      if (this.#part === 0) this.#isCrLf = line.isCrLf;
      this.#place = line.isLast ? 'after' : 'head';
      // multer would count on to the end of the form.
      if (!line.isLast && this.#part === this.#maxParts) throw new InvalidRequestError(`The form has more than ${this.#maxParts} parts.`);
      this.#part += 1;
      return true;
    }
    return this.#pass(isLast ? data.length : beginOfDelimiter(data, this.#delimiter));
  }

  #findDelimiter(from: number): number {
    return this.#place === 'after' ? -1 : this.#held.indexOf(this.#delimiter, from);
  }

  /** Lets the first bytes of what is held pass, if they belong to a part. */
  #pass(bytes: number): false {
    if (this.#place === 'body') {
      const part = this.#held.subarray(0, bytes);
      if (bytes > 0) this.push(this.#decoder ? this.#decoder.decode(part, { stream: true }) : part);
    } else {
      this.#outside += bytes;
      if (this.#outside > MAX_OUTSIDE_BYTES)
        throw this.#place === 'before' ? this.#withoutBoundary() : new InvalidRequestError('The form continues after its last boundary.');
    }
    this.#held = bytes < this.#held.length ? this.#held.subarray(bytes) : NOTHING;
    return false;
  }

  #readHead(isLast: boolean): boolean {
    const data = this.#held;
    const { index: end = -1, 0: blank = '' } = /(?:^|\n)\r?\n/.exec(data.subarray(0, MAX_HEAD_BYTES).toString('latin1')) ?? {};
    if (end === -1) {
      if (data.length >= MAX_HEAD_BYTES) throw this.#fault('has a header longer than 8 KB, or none');
      if (isLast && data.length === 0) this.#place = 'after'; // the last boundary without its dashes
      return false;
    }
    const { disposition, decoder } = rewriteHead(data.toString('latin1', 0, end), this.#fileField, (what) => this.#fault(what));
    this.push(`\r\n--${this.#boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`);
    this.#decoder = decoder;
    this.#held = data.subarray(end + blank.length);
    this.#place = 'body';
    return true;
  }

  #requireEnd() {
    if (this.#place === 'before') throw this.#outside <= 1 ? new InvalidRequestError('The form is empty.') : this.#withoutBoundary();
    if (this.#place !== 'after') throw this.#fault(`breaks off: the last boundary, “--${this.#named}--”, is missing`);
    this.push(`\r\n--${this.#boundary}--\r\n`);
  }

  #withoutBoundary() {
    return new InvalidRequestError(`The form doesn’t contain the boundary that its Content-Type names, “${this.#named}”.`);
  }

  #fault(what: string) {
    return new InvalidRequestError(`Part ${this.#part} of the form ${what}.`);
  }
}

const [LF, CR, DASH] = [10, 13, 45];

/** What follows a boundary: dashes, or the end of its line. Undefined for anything else. */
function boundaryLine(data: Buffer, start: number, isLast: boolean): BoundaryLine | undefined {
  if (data[start] === DASH && (data[start + 1] === DASH || (isLast && start + 1 === data.length)))
    return { next: Math.min(start + 2, data.length), isLast: true, isCrLf: true };
  let at = start;
  while ((data[at] === 32 || data[at] === 9) && at - start < MAX_PADDING) at += 1;
  const isCrLf = data[at] === CR;
  if (isCrLf) at += 1;
  if (data[at] === LF) return { next: at + 1, isLast: false, isCrLf };
  const mayEnd = at === data.length || (data[start] === DASH && start + 1 === data.length);
  if (!mayEnd) return undefined;
  return isLast ? { next: data.length, isLast: true, isCrLf: true } : 'unfinished';
}

/** Where a delimiter may begin that the next bytes complete. */
function beginOfDelimiter(data: Buffer, delimiter: Buffer): number {
  for (let at = data.indexOf(LF, -delimiter.length + 1); at !== -1; at = data.indexOf(LF, at + 1)) {
    if (delimiter.subarray(0, data.length - at).equals(data.subarray(at))) return data[at - 1] === CR ? at - 1 : at;
  }
  return data.at(-1) === CR ? data.length - 1 : data.length;
}

const MEDIA = /^(image|video|audio)\//;
const MAX_FIELD_NAME = 300;
const MAX_FILE_NAME = 1_000;

interface RewrittenHead {
  disposition: string;
  decoder?: TextDecoder | undefined;
}

/** What multer needs of a part's header: the field and, of a file, a name. Texts are decoded before: multer loses those in most charsets. */
function rewriteHead(head: string, fileField: string | undefined, fault: (what: string) => Error): RewrittenHead {
  const headers = parseHead(head, fault);
  const disposition = headers.get('content-disposition');
  if (disposition === undefined) throw fault('has no Content-Disposition');
  const parsed = parseHeader(disposition);
  const field = quotable(decodeText(Buffer.from(parsed.parameters.get('name') ?? '', 'latin1'))).slice(0, MAX_FIELD_NAME);
  if (field === '') throw fault('has no name');
  const type = parseHeader(headers.get('content-type') ?? '');
  if (type.value.startsWith('multipart/')) throw fault('is a form itself. Send each of its parts separately');
  const encoding = /base64|quoted-printable/i.exec(headers.get('content-transfer-encoding') ?? '')?.[0];
  if (encoding) throw fault(`is encoded as ${encoding}. Send its bytes unchanged`);
  const fileName = fileNameIn(parsed);
  // Some programs send settings like files, with a file name but no type.
  const isNamedText = fileField !== undefined && /^(text\/|$)/.test(type.value);
  const isFile = field === fileField || MEDIA.test(type.value) || (fileName !== undefined && !isNamedText);
  const start = `form-data; name="${escaped(field)}"`;
  if (!isFile) return { disposition: start, decoder: decoderOf(type.parameters.get('charset'), fault) };
  // Of a long name, the end counts.
  const shown = Array.from(quotable(fileName ?? ''))
    .slice(-MAX_FILE_NAME)
    .join('');
  return { disposition: `${start}; filename="${escaped(shown || UNNAMED)}"` };
}

function parseHead(head: string, fault: (what: string) => Error): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    if (line === '') continue; // of a part without any
    const colon = line.indexOf(':');
    if (colon === -1) throw fault(`has a line in its header without a colon: “${cutText(quotable(line), 60)}”`);
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

function decoderOf(charset: string | undefined, fault: (what: string) => Error): TextDecoder | undefined {
  if (!charset) return undefined;
  try {
    const decoder = new TextDecoder(charset);
    return decoder.encoding === 'utf-8' ? undefined : decoder;
  } catch {
    throw fault(`has an unknown charset, “${cutText(quotable(charset), 60)}”. Use UTF-8`);
  }
}

const quotable = (text: string) => text.replace(/\p{Cc}/gu, '');
const escaped = (text: string) => text.replace(/["\\]/g, '\\$&');

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { isAbsolute } from 'node:path';
import type { Request } from 'express';
import multer from 'multer';
import { z } from 'zod';
import { parseJson } from '#api/client.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { isMultipart, readMultipart } from '#server/platform/http/multipart.ts';
import { NotOnDisk, pathAsWritten } from '#transfer/real-path.ts';

/** Maximum bytes of a text body: far more than any list of files. */
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_FILES = 500;
/** Maximum files of a form, and bytes of each, of which a video usually has at most 500 MiB: they stay on disk until they are uploaded. */
const MAX_FORM_FILES = 50;
const MAX_FILE_BYTES = 512 * 1024 * 1024;

const paths = z.object({ list: z.array(z.string()).max(MAX_FILES).default([]) });

interface StoredFile {
  path: string;
  name: string;
}

/** What an editor uploads: local files, files that it sends, or the clipboard. */
export type UploadRequest = { kind: 'paths'; paths: string[] } | { kind: 'files'; files: StoredFile[] } | { kind: 'clipboard' };

/** Reads a form and stores its files. */
export type StoreFiles = (form: IncomingMessage) => Promise<StoredFile[]>;

/** Stores the files of forms in a folder under generated names; files of earlier runs are removed. */
export async function formReader(folder: string): Promise<StoreFiles> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The editor's file name is passed on as an option; the name on disk must carry no meaning.
  const filename = (_request: Request, _file: Express.Multer.File, done: (error: Error | null, name: string) => void) =>
    done(null, `editor-${randomUUID()}`);
  const storage = multer.diskStorage({ destination: folder, filename });
  const limits = { files: MAX_FORM_FILES, fileSize: MAX_FILE_BYTES, fields: 100, parts: MAX_FORM_FILES + 100 };
  return async (form) => {
    const { files } = await readMultipart(form, { storage, limits });
    return files.map(({ path, originalname }) => ({ path, name: originalname || 'picture' }));
  };
}

/** Reads a body as text, whatever its declared type: not every editor declares the right one. @throws InvalidRequestError when it is too large */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_TEXT_BYTES) chunks.push(chunk);
  });
  await once(request, 'end');
  if (bytes > MAX_TEXT_BYTES) throw new InvalidRequestError('The request can’t be read: request entity too large.');
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws InvalidRequestError unless the body is empty, a list of paths, or a form with files */
export async function readUploadRequest(request: IncomingMessage, storeFiles: StoreFiles): Promise<UploadRequest> {
  if (isMultipart(request)) {
    const files = await storeFiles(request);
    if (!files.length) throw new InvalidRequestError('The form has no file.');
    return { kind: 'files', files };
  }
  const body = await readText(request);
  if (!body.trim()) return { kind: 'clipboard' };
  const list = paths.safeParse(parseJson(body)).data?.list;
  const found = list && (await Promise.all(list.map(pathOf)));
  if (!found?.every(isAbsolute))
    throw new InvalidRequestError('Send {"list": ["/full/path/to/a.png"]}, a form with files, or an empty body for the clipboard.');
  return found.length ? { kind: 'paths', paths: found } : { kind: 'clipboard' };
}

/** Typora, for one, takes paths out of documents as they are there, percent-encoded (PicGo #735). @throws InvalidRequestError */
async function pathOf(text: string): Promise<string> {
  try {
    return await pathAsWritten(text);
  } catch (error) {
    throw error instanceof NotOnDisk ? new InvalidRequestError(`${text} ${error.message}.`) : error;
  }
}

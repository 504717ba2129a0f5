import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { isAbsolute } from 'node:path';
import type { Request, Response } from 'express';
import multer from 'multer';
import { z } from 'zod';
import { parseJson } from '#api/client.ts';

/** Maximum bytes of a text body: far more than any list of files. */
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_FILES = 500;
/** Maximum files of a form, and bytes of each: they stay on disk until they are uploaded. */
const MAX_FORM_FILES = 50;
const MAX_FILE_BYTES = 256 * 1024 * 1024;

const paths = z.object({
  list: z.array(z.string().refine(isAbsolute, 'must be an absolute path')).max(MAX_FILES).default([]),
});

/** What an editor uploads: local files, files that it sends, or the clipboard. */
export type UploadRequest =
  | { kind: 'paths'; paths: string[] }
  | { kind: 'files'; files: { path: string; name: string }[] }
  | { kind: 'clipboard' };

/** An invalid request from an editor; the message explains it completely. */
export class WrongRequest extends Error {
  override name = 'WrongRequest';
}

/** Reads a form and stores its files; {@link formFiles} lists them then. */
export type StoreFiles = (form: IncomingMessage) => Promise<void>;

/** Stores the files of forms in a folder under generated names; files of earlier runs are removed. */
export async function formReader(folder: string): Promise<StoreFiles> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The editor's file name is passed on as an option; the name on disk must carry no meaning.
  const filename = (_request: Request, _file: Express.Multer.File, done: (error: Error | null, name: string) => void) =>
    done(null, `editor-${randomUUID()}`);
  const storage = multer.diskStorage({ destination: folder, filename });
  const limits = { files: MAX_FORM_FILES, fileSize: MAX_FILE_BYTES, fields: 100 };
  const parse = multer({ storage, defParamCharset: 'utf8', limits }).any();
  // It uses nothing of Express, and not the response.
  return (form) =>
    new Promise((resolve, reject) => {
      parse(form as Request, {} as Response, (error: unknown) => (error ? reject(error) : resolve()));
    });
}

/** The stored files of a form. */
export function formFiles(form: IncomingMessage): Express.Multer.File[] {
  return (form as { files?: Express.Multer.File[] }).files ?? [];
}

/** Reads a body as text, whatever its declared type: not every editor declares the right one. @throws WrongRequest when it is too large */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_TEXT_BYTES) chunks.push(chunk);
  });
  await once(request, 'end');
  if (bytes > MAX_TEXT_BYTES) throw new WrongRequest('The request can’t be read: request entity too large.');
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws WrongRequest unless the body is empty, a list of paths, or a form with files */
export async function readUploadRequest(request: IncomingMessage, storeFiles: StoreFiles): Promise<UploadRequest> {
  if (/^multipart\/form-data/i.test(request.headers['content-type'] ?? '')) {
    await storeFiles(request);
    const files = formFiles(request);
    if (!files.length) throw new WrongRequest('The form has no file.');
    return { kind: 'files', files: files.map(({ path, originalname }) => ({ path, name: originalname })) };
  }
  const body = await readText(request);
  if (!body.trim()) return { kind: 'clipboard' };
  const parsed = paths.safeParse(parseJson(body));
  if (!parsed.success)
    throw new WrongRequest('Send {"list": ["/full/path/to/a.png"]}, a form with files, or an empty body for the clipboard.');
  return parsed.data.list.length ? { kind: 'paths', paths: parsed.data.list } : { kind: 'clipboard' };
}

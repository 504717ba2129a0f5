import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import express, { type Request, type RequestHandler } from 'express';
import multer from 'multer';
import { z } from 'zod';
import { parseJson } from '#api/client.ts';

/** Bytes of a text body: far more than any list of files. */
const MOST_TEXT = 1024 * 1024;
const MOST_FILES = 500;
/** Of one form, and bytes of each: they lie on the disk until they are uploaded. */
const MOST_FORM_FILES = 50;
const MOST_FILE = 256 * 1024 * 1024;

const paths = z.object({
  list: z.array(z.string().refine(isAbsolute, 'must be a whole path')).max(MOST_FILES).default([]),
});

/** What an editor wants uploaded: files of this computer, files that it has sent along, or what is in the clipboard. */
export type Wanted =
  | { kind: 'paths'; paths: string[] }
  | { kind: 'files'; files: { path: string; name: string }[] }
  | { kind: 'clipboard' };

/** An editor has asked for something that there is not; its message is the whole explanation. */
export class WrongRequest extends Error {
  override name = 'WrongRequest';
}

/** Writes the files of a form into a folder, under names of its own; those of earlier runs are removed. */
export async function formReader(folder: string): Promise<RequestHandler> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The name that the editor gives travels with the wishes; that of the file here must not mean anything.
  const filename = (_request: Request, _file: Express.Multer.File, done: (error: Error | null, name: string) => void) =>
    done(null, `editor-${randomUUID()}`);
  const storage = multer.diskStorage({ destination: folder, filename });
  return multer({ storage, defParamCharset: 'utf8', limits: { files: MOST_FORM_FILES, fileSize: MOST_FILE, fields: 100 } }).any();
}

/** Takes a body that is no form as text, whatever type it is said to be of: not every editor says the right one. */
export const readText = express.text({
  type: (request) => !/^multipart\/form-data/i.test(request.headers['content-type'] ?? ''),
  limit: MOST_TEXT,
});

/** @throws WrongRequest when the body is neither empty, nor a list of paths, nor a form with files */
export function wantedOf(request: Request): Wanted {
  if (request.is('multipart/form-data')) {
    const files = formFiles(request);
    if (!files.length) throw new WrongRequest('The form has no file.');
    return { kind: 'files', files: files.map(({ path, originalname }) => ({ path, name: originalname })) };
  }
  const body = bodyOf(request);
  if (!body.trim()) return { kind: 'clipboard' };
  const parsed = paths.safeParse(parseJson(body));
  if (!parsed.success) throw new WrongRequest('Send {"list": ["/full/path/to/a.png"]}, a form with files, or nothing for the clipboard.');
  return parsed.data.list.length ? { kind: 'paths', paths: parsed.data.list } : { kind: 'clipboard' };
}

/** Those that came in a form and were written. */
export const formFiles = ({ files = [] }: Request) => files as Express.Multer.File[];

/** Empty when there is none. */
export function bodyOf({ body }: Request): string {
  return typeof body === 'string' ? body : '';
}

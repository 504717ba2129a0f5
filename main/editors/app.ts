import { rm } from 'node:fs/promises';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { MulterError } from 'multer';
import { parseJson } from '#api/client.ts';
import { Reason } from '#main/base/reasons.ts';
import { gate } from './gate.ts';
import type { EditorUploads } from './uploads.ts';
import { bodyOf, formFiles, readText, WrongRequest, wantedOf } from './wanted.ts';

interface Options {
  /** False once the endpoint is turned off, even while connections are still open. */
  open(): boolean;
  uploads: EditorUploads;
  /** Stores the files of a form. */
  readForm: RequestHandler;
  /** The message that the user sees for an error. */
  describe(error: unknown): string;
}

/** PicGo's local HTTP interface, which editors support: https://docs.picgo.app/gui/guide/advance. Failures have status 200. */
export function editorsApp({ open, uploads, readForm, describe }: Options): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use((_request, response, next) => {
    if (open()) return next();
    response
      .status(403)
      .set('Connection', 'close')
      .json({ success: false, message: describe(new Reason('editorsOff')) });
  });
  app.use(gate);
  app.post('/heartbeat', (_request, response) => void response.json({ success: true, result: 'alive' }));

  app.post('/upload', readForm, readText, async (request, response) => {
    try {
      const items = await uploads.upload(wantedOf(request));
      response.json({ success: true, result: items.map(({ imgUrl }) => imgUrl), items, fullResult: items });
    } finally {
      // Files that were accepted have been moved.
      await Promise.all(formFiles(request).map(({ path }) => rm(path, { force: true })));
    }
  });

  app.post('/delete', readText, async (request, response) => {
    const body = parseJson(bodyOf(request)) as { list?: unknown } | undefined;
    await uploads.remove(Array.isArray(body) ? body : body?.list);
    response.json({ success: true, message: 'Deleted' });
  });

  app.use((_request, response) => void response.status(404).json({ success: false, message: 'Unknown request.' }));
  app.use(failure(describe));
  return app;
}

function failure(describe: Options['describe']): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const wrong = wrongRequest(error);
    if (!wrong) console.error('An editor’s request has failed:', error);
    response.json({ success: false, message: wrong ?? describe(error) });
  };
}

/** The message for a faulty request; undefined for other errors. */
function wrongRequest(error: unknown): string | undefined {
  if (error instanceof WrongRequest) return error.message;
  const unreadable = error instanceof MulterError || (error instanceof Error && 'expose' in error && error.expose === true);
  return unreadable ? `The request can’t be read: ${error.message}.` : undefined;
}

import { rm } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parseJson } from '#api/client.ts';
import { Reason } from '#main/base/reasons.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { gate } from './gate.ts';
import { sendJson } from './send-json.ts';
import { readText, readUploadRequest, type StoreFiles } from './upload-request.ts';
import type { EditorUploads } from './uploads.ts';

interface Options {
  /** False once the endpoint is turned off, even while connections are still open. */
  open(): boolean;
  uploads: EditorUploads;
  /** Stores the files of a form. */
  storeFiles: StoreFiles;
  /** The message that the user sees for an error. */
  describe(error: unknown): string;
}

/**
 * PicGo's local HTTP interface, which editors support: https://docs.picgo.app/gui/guide/advance. Failures have status 200. Three addresses
 * don't need Express, which would add a megabyte to the app's archive.
 */
export function editorsApp({ open, uploads, storeFiles, describe }: Options): RequestListener {
  const addresses: Record<string, (request: IncomingMessage) => Promise<object>> = {
    '/heartbeat': async () => ({ success: true, result: 'alive' }),

    async '/upload'(request) {
      const wanted = await readUploadRequest(request, storeFiles);
      try {
        const items = await uploads.upload(wanted);
        return { success: true, result: items.map(({ imgUrl }) => imgUrl), items, fullResult: items };
      } finally {
        // Files that were accepted have been moved.
        if (wanted.kind === 'files') await Promise.all(wanted.files.map(({ path }) => rm(path, { force: true })));
      }
    },

    async '/delete'(request) {
      const body = parseJson(await readText(request)) as { list?: unknown } | undefined;
      await uploads.remove(Array.isArray(body) ? body : body?.list);
      return { success: true, message: 'Deleted' };
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse) {
    if (!open()) {
      response.setHeader('connection', 'close');
      return sendJson(response, 403, { success: false, message: describe(new Reason('editorsOff')) });
    }
    if (!(await gate(request, response))) return;
    const { pathname = '' } = URL.parse(request.url ?? '', 'http://127.0.0.1') ?? {};
    const address = request.method === 'POST' ? addresses[pathname.replace(/\/$/, '')] : undefined;
    if (!address) return sendJson(response, 404, { success: false, message: 'Unknown request.' });
    sendJson(response, 200, await address(request));
  }

  return (request, response) => {
    respond(request, response).catch((error: unknown) => {
      const isFaulty = error instanceof RequestError;
      if (!isFaulty) console.error('Request of an editor failed:', error);
      sendJson(response, 200, { success: false, message: isFaulty ? error.message : describe(error) });
    });
  };
}

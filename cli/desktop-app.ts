import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseJson } from '#api/client.ts';
import {
  type ClipboardRequest,
  type ClipboardResponse,
  clipboardResponse,
  HANDOVER_ADDRESS,
  HANDOVER_FOLDER,
} from '#api/desktop/handover.ts';
import { CommandError } from './errors.ts';

/** Error codes of a socket that is missing or has no listener. */
const NOT_RUNNING = ['ENOENT', 'ENOTDIR', 'ECONNREFUSED'];

interface Options {
  /** What to upload: `CLIPBOARD_PATH` or `CAPTURE_PATH`. */
  path: string;
  /** The app's folder. */
  appDir: string;
  /** Seconds to wait for the response. */
  timeout: number;
  signal: AbortSignal;
}

/**
 * Has the running desktop app upload the clipboard or a capture of the screen, and waits for the links.
 * @throws CommandError if the app isn't running or doesn't respond
 */
export async function uploadThroughApp(request: ClipboardRequest, { path, appDir, timeout, signal }: Options): Promise<ClipboardResponse> {
  const limit = AbortSignal.timeout(timeout * 1000);
  const body = await ask(appDir, path, JSON.stringify(request), AbortSignal.any([signal, limit])).catch((error: NodeJS.ErrnoException) => {
    if (signal.aborted) throw error;
    throw new CommandError(limit.aborted ? `The Pixdock app didn’t respond within ${timeout} s. ${STILL}` : explain(error), {
      cause: error,
    });
  });
  const result = clipboardResponse.safeParse(body);
  if (result.success) return result.data;
  throw new CommandError('The Pixdock app sent an unexpected response. Make sure the app and this command are the same version.', {
    cause: result.error,
  });
}

const STILL = 'It may still be uploading: check its tray icon.';

function explain({ code, message }: NodeJS.ErrnoException) {
  if (code && NOT_RUNNING.includes(code)) return 'The Pixdock app isn’t running. Start it and try again.';
  if (code === 'ECONNRESET') return 'The Pixdock app quit before it responded. It will resume the upload when it starts again.';
  return `Could not reach the Pixdock app: ${message}`;
}

async function ask(appDir: string, path: string, body: string, signal: AbortSignal): Promise<unknown> {
  const socketPath = await readFile(join(appDir, HANDOVER_FOLDER, HANDOVER_ADDRESS), { encoding: 'utf8', signal });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const request = httpRequest({ socketPath, path, method: 'POST', headers, signal });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return parseJson(await text(response));
}

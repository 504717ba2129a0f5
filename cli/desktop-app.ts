import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseJson } from '#api/client.ts';
import { CAPTURE_DELAYS } from '#api/desktop/capture.ts';
import {
  CAPTURE_PATH,
  type CaptureRequest,
  CLIPBOARD_PATH,
  type ClipboardRequest,
  type ClipboardResponse,
  clipboardResponse,
  HANDOVER_ADDRESS,
  HANDOVER_FOLDER,
  RECORD_PATH,
  type RecordRequest,
} from '#api/desktop/handover.ts';
import { CommandError, EXIT, UsageError } from './errors.ts';
import { imageFields, type UploadOptions } from './options.ts';
import { formatLink } from './printable.ts';
import type { Invocation } from './run.ts';

/** `pixdock upload --clipboard` and `--capture`: have the desktop app upload, as its shortcuts do. */
export async function uploadFromApp(
  { terminal, environment }: Invocation,
  files: string[],
  options: UploadOptions,
  signal: AbortSignal,
): Promise<number> {
  const { capture } = options;
  const mode = capture === true ? undefined : capture;
  const delay = CAPTURE_DELAYS.find((seconds) => String(seconds) === options.delay);
  if (files.length)
    throw new UsageError(
      `${capture ? '--capture uploads part of the screen' : '--clipboard uploads the picture on the clipboard'} and takes no files.`,
    );
  if (options.name?.trim() === '') throw new UsageError('The name is empty.');
  const { name, album: albums, timeout, template } = options;
  const linkFormat = options.format === 'json' ? undefined : options.format;
  const request = { ...(capture && { mode, delay }), fields: await imageFields(options), name, albums, linkFormat, linkTemplate: template };
  const result = await askApp(request, {
    path: capture ? CAPTURE_PATH : CLIPBOARD_PATH,
    appDir: environment.appDir,
    timeout,
    signal,
  });
  return print(result, terminal, options);
}

/** `pixdock upload --record`: has the desktop app start or stop a recording, as its shortcut does. */
export async function recordFromApp(
  { terminal, environment }: Invocation,
  files: string[],
  options: UploadOptions,
  signal: AbortSignal,
): Promise<number> {
  if (files.length) throw new UsageError('--record uploads a recording of the screen and takes no files.');
  const { record, timeout, format, template, ...others } = options;
  const [unused] = Object.keys(others).filter((name) => name !== 'retries' && others[name as keyof typeof others] !== undefined);
  if (unused !== undefined) throw new UsageError('--record takes only --format, --template and --timeout: the app has the other options.');
  const request = { target: record === true ? undefined : record };
  const result = await askApp(request, { path: RECORD_PATH, appDir: environment.appDir, timeout, signal });
  if (result.ok && result.recording === 'started') terminal.note('Recording. Run the command again to stop.');
  if (result.ok && result.recording === 'draft') terminal.note('The recording is a draft in the Pixdock app.');
  return result.ok && result.recording ? EXIT.done : print(result, terminal, options);
}

function print(result: ClipboardResponse, terminal: Invocation['terminal'], options: UploadOptions): number {
  if (!result.ok) throw new CommandError(result.message);
  if (result.cancelled) return EXIT.failed;

  for (const note of result.notes ?? []) terminal.note(note);
  for (const uploaded of result.uploaded) terminal.line(formatLink(options, uploaded));
  for (const { name, message } of result.failed) terminal.problem(name, message);
  if (!result.uploaded.length && !result.failed.length) terminal.problem(undefined, 'The upload was cancelled in the app.');
  const uncopied = options.copy === true && result.uploaded.length > 0 && !result.copied;
  if (uncopied) terminal.problem(undefined, 'The links weren’t copied: the clipboard changed in the meantime, or couldn’t be written to.');
  return result.failed.length || !result.uploaded.length || uncopied ? EXIT.failed : EXIT.done;
}

/** Error codes of a socket that is missing or has no listener. */
const NOT_RUNNING = ['ENOENT', 'ENOTDIR', 'ECONNREFUSED'];

interface Options {
  /** What to upload: `CLIPBOARD_PATH`, `CAPTURE_PATH` or `RECORD_PATH`. */
  path: string;
  /** The app's folder. */
  appDir: string;
  /** Seconds to wait for the response. */
  timeout: number;
  signal: AbortSignal;
}

/**
 * Has the running desktop app upload the clipboard, a capture of the screen or a recording, and waits for the links.
 * @throws CommandError if the app isn't running or doesn't respond
 */
async function askApp(
  request: ClipboardRequest | Partial<CaptureRequest> | Partial<RecordRequest>,
  { path, appDir, timeout, signal }: Options,
): Promise<ClipboardResponse> {
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

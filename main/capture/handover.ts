import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseJson } from '#api/client.ts';
import {
  CAPTURE_PATH,
  type CaptureRequest,
  CLIPBOARD_PATH,
  type ClipboardRequest,
  type ClipboardResponse,
  captureRequest,
  clipboardRequest,
  HANDOVER_ADDRESS,
  RECORD_PATH,
  type RecordRequest,
  recordRequest,
} from '#api/desktop/handover.ts';

/** In bytes: far above the size of any request. */
const MAX_BODY_BYTES = 64 * 1024;
/** In bytes. macOS limits a socket's path to 104. */
const MAX_FOLDER_BYTES = 90;

/** Carries out a request; undefined if it isn't a valid one. */
type Upload = (body: unknown) => Promise<ClipboardResponse> | undefined;

interface Options {
  /** Absolute path of the folder for the socket and its address. */
  folder: string;
  uploadClipboard(request: ClipboardRequest): Promise<ClipboardResponse>;
  captureScreen(request: CaptureRequest): Promise<ClipboardResponse>;
  record(request: RecordRequest): Promise<ClipboardResponse>;
  platform?: NodeJS.Platform;
}

/** Lets this user's other programs, above all the command line, use the running app. */
export function setupHandover(options: Options): void {
  openHandover(options).catch((error: unknown) => console.error('Couldn’t listen for the command line:', error));
}

/** Listens on a socket in a folder that only this user can open; on Windows on a pipe whose name is only in that folder. */
export async function openHandover({
  folder,
  uploadClipboard,
  captureScreen,
  record,
  platform = process.platform,
}: Options): Promise<Server> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  const socket = join(await shortEnough(folder), 'app.sock');
  // Removes what a crash left behind. No other instance of the app uses this folder.
  await rm(socket, { force: true });
  const address = platform === 'win32' ? `\\\\.\\pipe\\pixdock-${randomUUID()}` : socket;
  const uploads = new Map<string, Upload>([
    [CLIPBOARD_PATH, (body) => optional(clipboardRequest.safeParse(body).data, uploadClipboard)],
    [CAPTURE_PATH, (body) => optional(captureRequest.safeParse(body).data, captureScreen)],
    [RECORD_PATH, (body) => optional(recordRequest.safeParse(body).data, record)],
  ]);
  const server = createServer((request, response) => {
    handle(request, uploads.get(request.url ?? ''))
      .then(({ status, body }) => respond(response, status, body))
      .catch((error: unknown) => {
        console.error('Couldn’t respond to a request of the command line:', error);
        respond(response, 500, { ok: false, message: 'The app couldn’t handle the request. Its log shows the cause.' });
      });
  });
  server.listen(address);
  await once(server, 'listening');
  await writeFile(join(folder, HANDOVER_ADDRESS), address, { mode: 0o600 });
  return server;
}

/** Socket paths are limited to about a hundred bytes. A longer one is replaced by a new private folder at each start. */
async function shortEnough(folder: string) {
  return Buffer.byteLength(folder) <= MAX_FOLDER_BYTES ? folder : mkdtemp(join(tmpdir(), 'pixdock-'));
}

async function handle(request: IncomingMessage, upload: Upload | undefined) {
  if (request.method !== 'POST' || !upload) return refusal(404, 'This version of the app doesn’t support that.');
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > MAX_BODY_BYTES)
    return refusal(413, 'The request is too long.');
  const uploading = upload(parseJson(await text(request)));
  if (!uploading)
    return refusal(
      400,
      'This version of the app doesn’t understand the request. Make sure the app and the command line are the same version.',
    );
  return { status: 200, body: await uploading };
}

function optional<T, R>(value: T | undefined, use: (value: T) => R): R | undefined {
  return value === undefined ? undefined : use(value);
}

function refusal(status: number, message: string): { status: number; body: ClipboardResponse } {
  return { status, body: { ok: false, message } };
}

function respond(response: ServerResponse, status: number, body: ClipboardResponse) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CAPTURE_PATH,
  type CaptureRequest,
  CLIPBOARD_PATH,
  type ClipboardRequest,
  type ClipboardResponse,
  HANDOVER_ADDRESS,
} from '#api/desktop/handover.ts';
import { openHandover } from '#main/capture/handover.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const DONE: ClipboardResponse = { ok: true, uploaded: [], failed: [], copied: true };

const CANCELLED: ClipboardResponse = { ...DONE, cancelled: true };

const captures: unknown[] = [];
async function captureScreen(request: CaptureRequest) {
  captures.push(request);
  return CANCELLED;
}

async function open(folder: string, uploadClipboard = async (_request: ClipboardRequest) => DONE) {
  const server = await openHandover({ folder, uploadClipboard, captureScreen, record: async () => CANCELLED, platform: 'linux' });
  servers.push(server);
  return readFile(join(folder, HANDOVER_ADDRESS), 'utf8');
}

async function send(socketPath: string, body: string, { method = 'POST', path = CLIPBOARD_PATH, headers = {} } = {}) {
  const outgoing = request({ socketPath, method, path, headers: { 'content-length': Buffer.byteLength(body), ...headers } });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, json: JSON.parse(await text(response)) };
}

describe.skipIf(process.platform === 'win32')("the app's private socket", () => {
  it('passes a request to the app and returns the result', async () => {
    const received: unknown[] = [];
    const socket = await open(temporaryFolder(), async (options) => {
      received.push(options);
      return DONE;
    });
    const options = { linkFormat: 'markdown', albums: ['Plans'], fields: { visibility: 'private' } };
    expect(await send(socket, JSON.stringify(options))).toEqual({ status: 200, json: DONE });
    expect(received).toEqual([options]);
  });

  it('distinguishes captures of the screen from uploads of the clipboard', async () => {
    const socket = await open(temporaryFolder());
    const capture = (body: string) => send(socket, body, { path: CAPTURE_PATH });
    expect(await capture('{"fields":{}}')).toEqual({ status: 200, json: CANCELLED });
    expect(await capture('{"fields":{},"mode":"window","delay":5}')).toEqual({ status: 200, json: CANCELLED });
    expect(captures.splice(0)).toEqual([
      { fields: {}, mode: 'region', delay: 0 },
      { fields: {}, mode: 'window', delay: 5 },
    ]);
    expect(await capture('{"fields":{},"mode":"everything"}')).toMatchObject({ status: 400 });
    expect(await capture('{"fields":{},"delay":4}')).toMatchObject({ status: 400 });
    expect(await send(socket, '{"fields":{},"delay":5}')).toMatchObject({ status: 400 });
    expect(captures).toEqual([]);
  });

  it('is accessible to its user only, even in an existing open folder', async () => {
    const folder = join(temporaryFolder(), 'handover');
    await mkdir(folder);
    await chmod(folder, 0o755);
    await open(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, HANDOVER_ADDRESS))).mode & 0o777).toBe(0o600);
  });

  it('replaces a socket left by a crash', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'app.sock'), '');
    expect(await send(await open(folder), '{"fields":{}}')).toMatchObject({ status: 200 });
  });

  it('works in a folder whose path is too long for a socket', async () => {
    const folder = join(temporaryFolder(), 'very-long-name-'.repeat(10));
    expect(await send(await open(folder), '{"fields":{}}')).toMatchObject({ status: 200 });
  });

  it.each([
    ['invalid JSON', 'clipboard', {}, 400],
    ['an empty body', '', {}, 400],
    ['a field that the form does not have', '{"fields":{"owner_id":"1"}}', {}, 400],
    ['an unknown property', '{"fields":{},"path":"/etc/passwd"}', {}, 400],
    ['another request', '{}', { path: '/files' }, 404],
    ['another method', '', { method: 'GET' }, 404],
    ['a body that is too large', ' '.repeat(70_000), {}, 413],
  ])('rejects %s with a message', async (_what, body, how, status) => {
    const socket = await open(temporaryFolder(), () => Promise.reject(new Error('must not be called')));
    expect(await send(socket, body, how)).toEqual({ status, json: { ok: false, message: expect.stringMatching(/^[A-Z].+[.?]$/) } });
  });

  it('responds even if the app fails', async () => {
    const socket = await open(temporaryFolder(), () => Promise.reject(new Error('broken')));
    expect(await send(socket, '{"fields":{}}')).toMatchObject({ status: 500, json: { ok: false } });
  });
});

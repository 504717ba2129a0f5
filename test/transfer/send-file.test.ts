import { appendFile, rename, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NetworkError } from '#api/client.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openFile } from '#transfer/open-file.ts';
import { FileFault } from '#transfer/post-form.ts';
import { sendFile } from '#transfer/send-file.ts';

async function serve(handler: RequestListener) {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers: { cookie: 'who=ada' } };
}

/** Larger than socket buffers, so that sending it takes as long as the other side wants. */
const LARGE_BYTES = 16 * 1024 * 1024;

/** A new file, open until the test ends. */
async function fileWith(content: string | Buffer, name: string) {
  const path = join(temporaryFolder(), 'file.png');
  await writeFile(path, content);
  const file = await openFile(path);
  onTestFinished(() => file[Symbol.asyncDispose]());
  return { ...file, path, name };
}

const largeFile = () => fileWith(Buffer.alloc(LARGE_BYTES, 1), 'a "large" one.png');

test("sends a file, its fields and a name that doesn't fit into a header intact", async () => {
  const file = await largeFile();
  const service = await serve(async (request, response) => {
    const body = await buffer(request);
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const sent = form.get('file') as File;
    response.end(JSON.stringify([form.get('name'), form.get('visibility'), sent.size, request.headers.cookie]));
  });
  const counts: number[] = [];
  const response = await sendFile(service, file, { visibility: 'private' }, { timeout: 30, onBytes: (count) => counts.push(count) });
  expect(response).toMatchObject({ status: 200, text: JSON.stringify([file.name, 'private', file.size, 'who=ada']) });
  expect(counts.reduce((sum, count) => sum + count)).toBe(file.size);
});

test('sends the poster of a video before the video, as the page does', async () => {
  const file = await fileWith('video', 'a.mp4');
  const service = await serve(async (request, response) => {
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const body = await buffer(request);
    const form = await new Response(new Uint8Array(body), { headers }).formData();
    const parts = [...form].map(async ([name, part]) => [name, part instanceof File ? [part.name, part.type, await part.text()] : part]);
    response.end(JSON.stringify(await Promise.all(parts)));
  });
  const { text } = await sendFile(service, file, { visibility: 'private' }, { timeout: 30, poster: new TextEncoder().encode('poster') });
  expect(JSON.parse(text)).toEqual([
    ['visibility', 'private'],
    ['poster', ['poster.jpg', 'image/jpeg', 'poster']],
    ['file', ['a.mp4', 'application/octet-stream', 'video']],
  ]);
});

test('sends the key of an upload, if it has one', async () => {
  const file = await fileWith('bytes', 'small.png');
  const service = await serve((request, response) => response.end(JSON.stringify(request.headers['idempotency-key'] ?? null)));
  const send = async (options: { idempotencyKey?: string }) => (await sendFile(service, file, {}, { timeout: 30, ...options })).text;
  expect([await send({ idempotencyKey: 'item-1' }), await send({})]).toEqual(['"item-1"', 'null']);
});

describe('a kept-alive connection', () => {
  /** Closes a reused connection as soon as a request's header has arrived; counts requests, and those that it responded to. */
  async function serveOncePerConnection(close: (socket: Socket) => void, alsoFresh = false) {
    const used = new WeakSet<Socket>();
    const counts = { requests: 0, responses: 0 };
    const service = await serve(async (request, response) => {
      counts.requests += 1;
      if (used.has(request.socket) || (alsoFresh && counts.requests > 1)) return close(request.socket);
      used.add(request.socket);
      const { length } = await buffer(request);
      counts.responses += 1;
      response.end(String(length > LARGE_BYTES));
    });
    return { service, counts };
  }

  test.each([
    ['ended', (socket: Socket) => socket.end()],
    ['closed', (socket: Socket) => socket.destroy()],
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
  ])('that the service has %s is replaced once, and the whole file is resent', async (_, close) => {
    const file = await largeFile();
    const { service, counts } = await serveOncePerConnection(close);
    for (const _ of [1, 2, 3]) {
      let sent = 0;
      const response = await sendFile(service, file, {}, { timeout: 30, onBytes: (count) => (sent += count) });
      expect(response).toMatchObject({ status: 200, text: 'true' });
      expect(sent).toBe(file.size);
    }
    expect(counts.responses).toBe(3);
    expect(counts.requests).toBeGreaterThan(3);
  });

  test('is replaced only once, and a fresh connection that breaks is a failure', async () => {
    const file = await largeFile();
    const { service, counts } = await serveOncePerConnection((socket) => socket.resetAndDestroy(), true);
    await sendFile(service, file, {}, { timeout: 30 });
    await expect(sendFile(service, file, {}, { timeout: 30 })).rejects.toThrow(NetworkError);
    expect(counts).toEqual({ requests: 3, responses: 1 });
  });

  test('that breaks after the response has begun is not replaced', async () => {
    let requests = 0;
    const service = await serve(async (request, response) => {
      await buffer(request);
      if (++requests === 1) return response.end();
      response.writeHead(200, { 'content-length': 100 });
      response.write('begun', () => request.socket.resetAndDestroy());
    });
    const file = await largeFile();
    await sendFile(service, file, {}, { timeout: 30 });
    await expect(sendFile(service, file, {}, { timeout: 30 })).rejects.toThrow(NetworkError);
    expect(requests).toBe(2);
  });
});

test('returns a rejection sent before the whole file has been read', async () => {
  const service = await serve((request, response) => {
    response.writeHead(413).end('too large');
    request.resume(); // or the response could be lost with the connection
  });
  expect(await sendFile(service, await largeFile(), {}, { timeout: 30 })).toMatchObject({ status: 413, text: 'too large' });
});

test('never sends part of a file that grows or shrinks during the upload', async () => {
  const file = await largeFile();
  const complete: boolean[] = [];
  const service = await serve(async (request, response) => {
    if (complete.length === 0) await appendFile(file.path, 'more');
    else await truncate(file.path);
    await buffer(request).then(
      () => complete.push(true),
      () => complete.push(false),
    );
    response.end();
  });
  await expect(sendFile(service, file, {}, { timeout: 30 })).rejects.toThrow(FileFault);
  await expect.poll(() => complete).toEqual([false]);
  await expect(sendFile(service, file, {}, { timeout: 30 })).rejects.toThrow(FileFault);
  await expect.poll(() => complete).toEqual([false, false]);
});

test('sends the file that was opened, also once more when the connection turns out to be closed, whatever has taken its place', async () => {
  const file = await fileWith('own', 'a.png');
  const secret = await fileWith('secret', 'b.png');
  const bodies: string[] = [];
  const used = new WeakSet<Socket>();
  const service = await serve(async (request, response) => {
    if (used.has(request.socket)) {
      await symlink(secret.path, `${file.path}.new`);
      await rename(`${file.path}.new`, file.path);
      return request.socket.destroy();
    }
    used.add(request.socket);
    bodies.push((await buffer(request)).toString());
    response.end();
  });
  for (const _ of [1, 2]) await sendFile(service, file, {}, { timeout: 30 });
  expect(bodies).toEqual([expect.stringContaining('own'), expect.stringContaining('own')]);
});

test('aborts an upload without progress, and reports an unreachable service', async () => {
  const service = await serve(() => undefined);
  const silent = sendFile(service, await largeFile(), {}, { timeout: 0.2 });
  await expect(silent).rejects.toThrow(NetworkError);
  await expect(silent).rejects.toThrow('no progress for 0.2 seconds');
  const unreachable = sendFile({ baseUrl: 'http://127.0.0.1:1', headers: {} }, await largeFile(), {}, { timeout: 30 });
  await expect(unreachable).rejects.toThrow('Could not reach http://127.0.0.1:1: connect ECONNREFUSED');
});

import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const MIB = 1024 * 1024;
const CAP = MIB;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const BOUNDARY = 'border-of-the-parts';
const HEAD = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="big.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

const { service, owner } = await startFileService();
const token = await owner.token('upload');
await owner.client.call(changeGroup, { params: { id: '1' }, body: { max_file_bytes: CAP, max_video_bytes: CAP } });

function open(headers: Record<string, string>): { sent: ClientRequest; response: Promise<IncomingMessage> } {
  const sent = request(`${service.url}/api/v1/upload`, { method: 'POST', agent: false, headers: { ...commonHeaders(), ...headers } });
  const response = new Promise<IncomingMessage>((resolve, reject) => sent.on('response', resolve).on('error', reject));
  return { sent, response };
}

const commonHeaders = () => ({ authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` });

async function expectRefusal(response: IncomingMessage) {
  expect(response.statusCode).toBe(413);
  expect(await json(response)).toMatchObject({ status: false, data: { code: 'file_too_large', retry: 'never', max_bytes: CAP } });
}

/** Sends a file like simple clients: all of it before reading the response. */
async function sendBlindly(bytes: number, how: 'announced' | 'chunked'): Promise<string> {
  const { hostname, port, host } = new URL(service.url);
  // It also ignores that the other side has closed.
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  const ended = new Promise<void>((resolve, reject) => socket.on('end', resolve).on('error', reject));
  const length = how === 'announced' ? `content-length: ${HEAD.length + bytes + TAIL.length}` : 'transfer-encoding: chunked';
  const headers = Object.entries(commonHeaders()).map(([name, value]) => `${name}: ${value}`);
  socket.write(['POST /api/v1/upload HTTP/1.1', `host: ${host}`, 'connection: close', length, ...headers, '', ''].join('\r\n'));
  for (const part of [HEAD, ...Array(bytes / CHUNK.length).fill(CHUNK), TAIL]) {
    const framed = how === 'announced' ? [part] : [`${part.length.toString(16)}\r\n`, part, '\r\n'];
    for (const piece of framed) if (!socket.write(piece)) await once(socket, 'drain');
  }
  if (how === 'chunked') socket.write('0\r\n\r\n');
  await ended;
  socket.end();
  return Buffer.concat(received).toString('utf8');
}

const staged = () => readdirSync(join(service.dataDir, 'tmp'));

describe('a file over the group’s limit', () => {
  it('with a Content-Length is refused before any of it is sent', async () => {
    const { sent, response } = open({ 'content-length': String(100 * MIB) });
    sent.flushHeaders();
    await expectRefusal(await response);
    sent.destroy();
  });

  it('with a Content-Length gets a 413, not a broken connection, even if the client sends all of it', async () => {
    expect(await sendBlindly(40 * MIB, 'announced')).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"file_too_large"/);
  });

  it('without a Content-Length is refused as soon as the limit is hit', async () => {
    const { sent, response } = open({ 'transfer-encoding': 'chunked' });
    sent.write(HEAD);
    sent.write(Buffer.alloc(CAP + 64 * 1024, 'x')); // and nothing more: the response must not wait for the end
    await expectRefusal(await response);
    expect(staged()).toEqual([]);
    sent.destroy();
  });

  it('without a Content-Length gets a 413 even if the client keeps sending', async () => {
    expect(await sendBlindly(40 * MIB, 'chunked')).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"file_too_large"/);
    expect(staged()).toEqual([]);
  });

  it('is refused for one byte too many; a file of exactly the limit is not', async () => {
    const image = await photoJpeg({ seed: 1 });
    await owner.client.call(changeGroup, { params: { id: '1' }, body: { max_file_bytes: image.length } });
    expect(await uploadImage(service, token, image)).toMatchObject({ ext: 'jpg' });
    const longer = await photoJpeg({ seed: 2 });
    await owner.client.call(changeGroup, { params: { id: '1' }, body: { max_file_bytes: longer.length - 1 } });
    await expect(uploadImage(service, token, longer)).rejects.toMatchObject({ status: 413, code: 'file_too_large' });
    await owner.client.call(changeGroup, { params: { id: '1' }, body: { max_file_bytes: CAP } });
    expect(staged()).toEqual([]);
  });
});

it('a client that disconnects midway leaves nothing behind', async () => {
  const { sent, response } = open({ 'transfer-encoding': 'chunked' });
  response.catch(() => undefined); // the connection ends on this side
  sent.write(HEAD);
  sent.write(Buffer.alloc(512 * 1024, 'x'));
  await expect.poll(staged).toHaveLength(1);
  sent.destroy();
  await expect.poll(staged).toEqual([]);
});

/** Begins an upload without a Content-Length. */
function beginUpload(token: string): { sending: ClientRequest; response: Promise<[number | undefined, string]> } {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=X', 'transfer-encoding': 'chunked' };
  const sending = request(`${service.url}/api/v1/upload`, { method: 'POST', headers });
  const response = new Promise<[number | undefined, string]>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', async (incoming) => {
      const { data } = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
      resolve([incoming.statusCode, data.code]);
    });
  });
  sending.write('--X\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n');
  return { sending, response };
}

it('applies to uploads without a Content-Length, too', async () => {
  const bytes = await png({ width: 600, height: 400 });
  const { sending, response } = beginUpload(await owner.token('upload'));
  sending.write(bytes.subarray(0, 1000));
  await expect.poll(staged).not.toEqual([]);
  await owner.client.call(changeAdminSettings, { body: { disk_reserve_bytes: Number.MAX_SAFE_INTEGER } });
  sending.end(Buffer.concat([bytes.subarray(1000), Buffer.from('\r\n--X--\r\n')]));
  expect(await response).toEqual([507, 'storage_full']);
  await expect.poll(staged).toEqual([]);
});

it('makes no room for an upload that the rate limit rejects', async () => {
  const token = await owner.token('upload');
  const upload = async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await png({ width: 20, height: 20 }))]), 'a.png');
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${service.url}/api/v1/upload`, { method: 'POST', headers, body: form })).status;
  };
  await owner.client.call(changeAdminSettings, { body: { disk_reserve_bytes: Number.MAX_SAFE_INTEGER } });
  await owner.client.call(changeGroup, { params: { id: '1' }, body: { uploads_per_minute: 1 } });
  expect([await upload(), await upload()]).toEqual([507, 429]);
});

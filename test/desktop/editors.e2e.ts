import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAlbum } from '#api/albums/albums.ts';
import { createClient } from '#api/client.ts';
import { listImages } from '#api/images/images.ts';
import type { Desktop } from './driver.ts';
import { expect, pixels, png, test } from './fixtures.ts';

// The PicGo-compatible endpoint, used as editors use it.

interface EditorResponse {
  success: boolean;
  result?: string[];
  items?: unknown[];
  fullResult?: { imgUrl: string; fileName: string; key: string; secret: string }[];
  message?: string;
}

/** The app's address for editors, once the page can request it. */
async function editorsOf(desktop: Desktop): Promise<string> {
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const status = await desktop.page.evaluate(() => window.pixdock?.getEditorsStatus());
  if (status?.state !== 'on') throw new Error(`editors: ${JSON.stringify(status)}`);
  return status.url;
}

async function post(url: string, body?: BodyInit, headers: Record<string, string> = {}): Promise<EditorResponse> {
  const response = await fetch(url, { method: 'POST', body, headers });
  expect(response.status).toBe(200);
  return (await response.json()) as EditorResponse;
}

const upload = (editors: string, list: unknown) =>
  post(`${editors}/upload`, JSON.stringify({ list }), { 'content-type': 'application/json' });

/** The signed-in user's images. */
async function images(desktop: Desktop) {
  const baseUrl = new URL(desktop.page.url()).origin;
  const cookies = await desktop.page.context().cookies(baseUrl);
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  const client = createClient({ baseUrl });
  const { items } = await client.call(listImages, { query: {}, headers });
  return { items, client, headers };
}

test('a list of files returns links in order, without touching clipboard or notifications', async ({ used: desktop, image }) => {
  const editors = await editorsOf(desktop);
  expect(await post(`${editors}/heartbeat`)).toEqual({ success: true, result: 'alive' });
  await desktop.copyOutside('text/plain', 'a sentence');
  const files = [await image('zwei ä.png', '#0f0'), await image('one.png', '#f00'), await image('three.png', '#00f')];
  const { success, result = [], items, fullResult } = await upload(editors, files);
  expect(success).toBe(true);
  for (const [i, link] of result.entries()) {
    expect(await pixels(await (await fetch(link)).arrayBuffer())).toEqual(await pixels(await readFile(files[i] ?? '')));
  }
  expect(fullResult?.map(({ fileName, imgUrl }) => [fileName, imgUrl])).toEqual([
    ['zwei ä.png', result[0]],
    ['one.png', result[1]],
    ['three.png', result[2]],
  ]);
  expect(items).toEqual(fullResult);
  expect(await desktop.clipboardText()).toBe('a sentence');
  expect(await desktop.notifications()).toEqual([]);
});

test('an empty body uploads the picture on the clipboard', async ({ used: desktop }) => {
  const editors = await editorsOf(desktop);
  const copied = await png('#a1b2c3');
  await desktop.copyOutside('image/png', copied);
  const { result = [] } = await post(`${editors}/upload`);
  expect(result).toHaveLength(1);
  expect(await pixels(await (await fetch(result[0] ?? '')).arrayBuffer())).toEqual(await pixels(copied));
});

test('files in a form are uploaded under any field name, and no temporary file remains', async ({ used: desktop, usedHome }) => {
  const editors = await editorsOf(desktop);
  const form = new FormData();
  form.append('list', new Blob([new Uint8Array(await png('#abc'))]), '截图 1.png');
  form.append('anything', new Blob([new Uint8Array(await png('#cba'))]), '../../etc/b.png');
  const { success, fullResult } = await post(`${editors}/upload`, form);
  expect(success).toBe(true);
  expect(fullResult?.map(({ fileName }) => fileName)).toEqual(['截图 1.png', 'b.png']);
  expect(await readdir(join(usedHome, 'config/Pixdock/incoming'))).toEqual([]);
  await expect.poll(() => readdir(join(usedHome, 'config/Pixdock/spool'))).toEqual([]);
});

test('a failed upload returns a message with status 200', async ({ used: desktop, usedHome, image, folder }) => {
  const editors = await editorsOf(desktop);
  const good = await image('good.png', '#123');
  const missing = join(folder, 'missing.png');
  // Other tests of this file may have left some.
  const failures = async () => (await desktop.labels()).filter((label) => /uploads? failed/.test(label));
  const before = await failures();
  await desktop.copyOutside('text/plain', 'no picture');
  expect(await upload(editors, [good, missing])).toEqual({ success: false, message: 'missing.png: The file no longer exists.' });
  expect(await upload(editors, ['relative.png'])).toEqual({ success: false, message: expect.stringContaining('full/path') });
  expect(await upload(editors, [7])).toMatchObject({ success: false });
  expect(await post(`${editors}/upload`, '{"list": [')).toMatchObject({ success: false });
  expect(await post(`${editors}/upload`, new FormData())).toMatchObject({ success: false });
  expect(await post(`${editors}/upload`, ' '.repeat(2_000_000))).toEqual({
    success: false,
    message: 'The request can’t be read: request entity too large.',
  });
  expect(await post(`${editors}/upload`)).toEqual({
    success: false,
    message: 'There’s no picture on the clipboard. Copy one and try again.',
  });
  const form = new FormData();
  form.append('file', new Blob(['no picture']), 'notes.json');
  expect(await post(`${editors}/upload`, form)).toEqual({ success: false, message: expect.stringMatching(/^notes\.json: /) });
  await expect.poll(() => readdir(join(usedHome, 'config/Pixdock/spool'))).toEqual([]);
  if (process.platform !== 'win32') {
    const pipe = join(folder, 'pipe.png');
    execFileSync('mkfifo', [pipe]); // opening it would block until something writes to it
    expect(await upload(editors, [pipe])).toEqual({ success: false, message: 'pipe.png: This is a folder or a device, not a picture.' });
  }
  expect(await post(`${editors}/delete`, '{"list": [{"key": "b7Rk2mQx9LpT", "secret": "guess"}]}')).toMatchObject({ success: false });
  // The tray doesn't list failures that the editor reports.
  expect(await failures()).toEqual(before);
});

test('web pages are rejected; Obsidian is allowed', async ({ used: desktop, image }) => {
  const editors = await editorsOf(desktop);
  const keys = async () => (await images(desktop)).items.map(({ key }) => key);
  const before = await keys();
  const body = JSON.stringify({ list: [await image('private.png', '#321')] });
  for (const origin of ['https://evil.example', 'http://127.0.0.1:7410', 'null', 'file://', 'app://other']) {
    const response = await fetch(`${editors}/upload`, { method: 'POST', body, headers: { origin } });
    expect({ origin, status: response.status }).toEqual({ origin, status: 403 });
    expect((await response.json()) as EditorResponse).toMatchObject({ success: false });
  }
  expect(await keys()).toEqual(before);
  const obsidian = {
    origin: 'app://obsidian.md',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };
  const preflight = await fetch(`${editors}/upload`, { method: 'OPTIONS', headers: obsidian });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('app://obsidian.md');
  expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type');
  expect(await post(`${editors}/upload`, body, { origin: 'app://obsidian.md' })).toMatchObject({ success: true });
  expect((await fetch(`${editors}/files`)).status).toBe(404);
  expect(await foreignHost(editors)).toBe(403);
});

/** The status for a foreign host name that resolves to this computer. */
function foreignHost(editors: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${editors}/heartbeat`, { method: 'POST', headers: { host: 'rebound.example' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.on('error', reject).end();
  });
}

test('an editor can delete its uploads', async ({ used: desktop, image }) => {
  const editors = await editorsOf(desktop);
  const { result = [], fullResult = [] } = await upload(editors, [await image('a.png', '#a00'), await image('b.png', '#b00')]);
  expect(await post(`${editors}/delete`, JSON.stringify({ list: fullResult.slice(0, 1) }))).toMatchObject({ success: true });
  expect((await fetch(result[0] ?? '', { headers: { accept: 'application/json' } })).status).toBe(404);
  expect((await fetch(result[1] ?? '')).status).toBe(200);
});

test('uploads from editors have their own visibility, format and albums, and can be turned off', async ({ used: desktop, image }) => {
  const editors = await editorsOf(desktop);
  const { client, headers } = await images(desktop);
  const album = await client.call(createAlbum, { body: { name: 'Notes' }, headers });
  const other = await client.call(createAlbum, { body: { name: 'Blog' }, headers });
  const set = (change: object) => desktop.page.evaluate((wanted) => window.pixdock?.setPreferences(wanted), change);
  await set({ editorVisibility: 'private', editorConvert: 'webp', convert: 'jpeg', editorAlbums: [album.id, other.id] });
  await upload(editors, [await image('note.png', '#0aa')]);
  expect((await images(desktop)).items[0]).toMatchObject({
    name: 'note.png',
    ext: 'webp',
    visibility: 'private',
    albums: [album.id, other.id],
  });
  await set({ editors: false });
  await expect.poll(() => desktop.page.evaluate(() => window.pixdock?.getEditorsStatus())).toEqual({ state: 'off' });
  await expect(fetch(`${editors}/heartbeat`, { method: 'POST' })).rejects.toThrow('fetch failed');
  await set({ editors: true });
  expect(await post(`${await editorsOf(desktop)}/heartbeat`)).toMatchObject({ success: true });
});

test('with a stopped service, the editor gets a response in time and the picture isn’t lost', async ({ used: desktop }) => {
  test.skip(process.platform === 'win32', 'stops a process by a signal, which Windows does not have');
  const editors = await editorsOf(desktop);
  const service = (await desktop.servicePid()) ?? 0;
  await desktop.copyOutside('image/png', await png('#606'));
  process.kill(service, 'SIGSTOP');
  expect(await post(`${editors}/upload`)).toEqual({
    success: false,
    message: expect.stringContaining('The upload is taking longer than usual'),
  });
  process.kill(service, 'SIGCONT');
  await expect.poll(async () => (await desktop.labels('Recent uploads'))[1]).toMatch(/^Only you: clipboard-.*\.png$/);
});

test('a port taken by another uploader is reported, and used once it is free', async ({ launch }) => {
  const picgo = await listening((_request, response) => response.end('{"success":true,"result":"alive"}'));
  const desktop = await launch({ env: { PIXDOCK_EDITORS_PORT: String(picgo.port) } });
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const status = () => desktop.page.evaluate(() => window.pixdock?.getEditorsStatus());
  expect(await status()).toEqual({ state: 'taken', by: 'uploader', port: picgo.port });
  await picgo.close();
  const other = await listening((_request, response) => response.end('hello'), picgo.port);
  expect(await status()).toEqual({ state: 'taken', by: 'other', port: picgo.port });
  await other.close();
  await expect.poll(status).toEqual({ state: 'on', url: `http://127.0.0.1:${picgo.port}` });
});

async function listening(handler: RequestListener, port = 0) {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

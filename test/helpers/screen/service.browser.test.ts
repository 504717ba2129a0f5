import { expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { ApiError, createClient, NetworkError } from '#api/client.ts';
import { sendForm } from '#renderer/upload/queue/send-form.ts';
import { ADA, CARLA } from './account.ts';
import { anAlbum } from './albums.ts';
import { anImage } from './images.ts';
import { copiedText, dropFiles, paste, pictureFile } from './input.ts';
import { pageOf } from './library.ts';
import { type Api, FakeService, refuse, UNREACHABLE } from './service.ts';

/** A service in the network's place, until the test ends. */
function start(api: Api, caller = ADA) {
  const faults: string[] = [];
  const service = new FakeService(api, () => caller, faults);
  const restore = service.install();
  return { service, faults, client: createClient(), [Symbol.dispose]: restore };
}

test('handlers get parsed requests, and their calls are listed', async () => {
  using fake = start({ 'GET /albums': ({ query }) => pageOf(query.limit === 7 && query.shared ? [anAlbum({ name: 'Coast' })] : []) });
  const { items } = await fake.client.call('GET /albums', { query: { limit: 7, shared: 'true' } });
  expect(items.map(({ name }) => name)).toEqual(['Coast']);
  expect(fake.service.calls('GET /albums').map(({ query }) => query)).toEqual([{ limit: 7, shared: true }]);
  expect(fake.faults).toEqual([]);
});

test('calls without a handler, or against the contract, are faults', async () => {
  using fake = start({ 'POST /albums': anAlbum() });
  await expect(fake.client.call('GET /user', {})).rejects.toThrow(ApiError);
  await expect(fake.client.call('POST /albums', { body: { name: '' } })).rejects.toThrow(ApiError);
  await expect(fetch('/api/v1/nothing').then(({ status }) => status)).resolves.toBe(500);
  expect(fake.faults).toEqual([
    'no handler for GET /user (/api/v1/user)',
    expect.stringContaining('POST /albums (/api/v1/albums) isn’t valid'),
    'the contract has no GET /api/v1/nothing',
  ]);
});

test('responses and refusals against the contract are faults', async () => {
  using fake = start({ 'GET /albums': pageOf([{ ...anAlbum(), id: 'too short' }]), 'GET /tags': refuse('slug_taken') });
  await expect(fake.client.call('GET /albums', { query: {} })).rejects.toThrow(ApiError);
  await expect(fake.client.call('GET /tags', { query: {} })).rejects.toThrow(ApiError);
  expect(fake.faults).toEqual([
    expect.stringContaining('the response of GET /albums breaks the contract'),
    'GET /tags doesn’t refuse with slug_taken',
  ]);
});

test('a refusal reaches the page with its details, and an unreachable service with none', async () => {
  using fake = start({ 'POST /auth/login': refuse('rate_limited', { retry_after: 30 }), 'GET /tags': UNREACHABLE });
  await expect(fake.client.call('POST /auth/login', { body: { login: 'ada', password: 'x' } })).rejects.toMatchObject({
    status: 429,
    code: 'rate_limited',
    retryAfter: 30,
  });
  await expect(fake.client.call('GET /tags', { query: {} })).rejects.toThrow(NetworkError);
  expect(fake.faults).toEqual([]);
});

test('the access of each route applies to who is signed in', async () => {
  using fake = start({ 'GET /admin/groups': pageOf([]) }, CARLA);
  await expect(fake.client.call('GET /admin/groups', { query: {} })).rejects.toMatchObject({ code: 'forbidden' });
  expect(fake.faults).toEqual([]);
});

test('a form arrives with its fields and its file, with progress, and can be cancelled', async () => {
  const image = anImage();
  const { promise: never } = Promise.withResolvers<never>();
  const parts: number[] = [];
  using fake = start({
    'POST /upload': ({ file, body, progress }) => {
      if (file.name === 'endless.png') return never;
      progress(0.5);
      return { ...image, name: `${file.name} ${body.visibility}`, reused: false };
    },
  });
  const form = async (name: string) => ({
    method: 'POST' as const,
    address: '/api/v1/upload',
    idempotencyKey: 'key',
    file: await pictureFile(name),
    name,
    fields: { visibility: 'private' },
  });
  const { signal } = new AbortController();
  const sent = await sendForm(await form('a.png'), { signal, onProgress: (progress) => parts.push(progress.sent / progress.total) });
  expect(sent).toMatchObject({ name: 'a.png private' });
  expect(parts[0]).toBeCloseTo(0.5, 1);
  expect(parts.at(-1)).toBe(1);
  const cancelling = new AbortController();
  const cancelled = sendForm(await form('endless.png'), { signal: cancelling.signal, onProgress: () => undefined });
  cancelling.abort(new Error('cancelled'));
  await expect(cancelled).rejects.toThrow('cancelled');
  expect(fake.faults).toEqual([]);
});

test('the stream of events tells of changes', async () => {
  using fake = start({});
  const stream = new EventSource('/api/v1/events');
  const told = new Promise((resolve) => stream.addEventListener('album.changed', ({ data }) => resolve(JSON.parse(data))));
  fake.service.tell('album.changed', 'album00001');
  expect(await told).toEqual({ keys: ['album00001'] });
  stream.close();
});

/** An element that fills the window, and what `event` brings it. */
function listen<Name extends 'drop' | 'paste'>(name: Name) {
  const element = Object.assign(document.createElement('div'), { tabIndex: 0 });
  element.style.cssText = 'position:fixed;inset:0';
  document.body.append(element);
  onTestFinished(() => element.remove());
  const { promise, resolve } = Promise.withResolvers<HTMLElementEventMap[Name]>();
  element.addEventListener('dragover', (event) => event.preventDefault());
  element.addEventListener(name, (event) => {
    event.preventDefault();
    resolve(event);
  });
  element.focus();
  return promise;
}

test('files and folders are dropped as from the disk', async () => {
  let wasOver = false;
  document.addEventListener('dragover', () => (wasOver = true), { once: true });
  const dropped = listen('drop').then(({ clientX, dataTransfer }) => ({
    clientX,
    names: [...(dataTransfer?.items ?? [])].map((item) => [item.webkitGetAsEntry()?.name, item.webkitGetAsEntry()?.isDirectory]),
  }));
  const files = [await pictureFile('a.jpg'), await pictureFile('holiday/b.png')];
  await dropFiles(files, { midway: async () => expect.poll(() => wasOver).toBe(true), at: () => ({ x: 120, y: 80 }) });
  const { clientX, names } = await dropped;
  expect(clientX).toBe(120);
  expect(names).toEqual([
    ['a.jpg', false],
    ['holiday', true],
  ]);
});

test('pictures and texts are pasted, and copied text is read', async () => {
  const pasted = listen('paste').then(({ clipboardData }) => [...(clipboardData?.items ?? [])].map(({ type }) => type));
  await paste(await pictureFile('a.png'));
  expect(await pasted).toEqual(['image/png']);
  const field = document.createElement('textarea');
  document.body.append(field);
  onTestFinished(() => field.remove());
  field.focus();
  await paste('two words');
  await expect.element(field).toHaveValue('two words');
  field.select();
  await userEvent.copy();
  expect(await copiedText()).toBe('two words');
});

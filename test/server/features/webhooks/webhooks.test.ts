import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { changeAlbum, createAlbum, orderAlbums } from '#api/albums/albums.ts';
import * as api from '#api/webhooks.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const token = await owner.token('full');
await owner.client.call(changeAdminSettings, { body: { fetch_allowed_hosts: ['127.0.0.1'] } });

interface Received {
  headers: IncomingMessage['headers'];
  body: string;
}

/** A receiver that records every request and responds with the next of `statuses`, or 200. */
async function startReceiver() {
  const received: Received[] = [];
  const statuses: number[] = [];
  const server = await startWebServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(statuses.shift() ?? 200).end('ok');
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { received, statuses, url: `${server.url}/hook` };
}

async function subscribe(url: string, events: api.WebhookEventType[], name = 'A receiver') {
  const webhook = await owner.client.call(api.createWebhook, { body: { name, url, events } });
  onTestFinished(
    async () => void (await owner.client.call(api.deleteWebhook, { params: { id: String(webhook.id) } }).catch(() => undefined)),
  );
  return { ...webhook, params: { id: String(webhook.id) } };
}

const deliveries = async (params: { id: string }) => (await owner.client.call(api.listWebhookDeliveries, { params, query: {} })).items;
const upload = async (seed: number) => uploadImage(service, token, await photoJpeg({ seed }));
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 10_000, interval: 50 });
const typesOf = (received: Received[]) => received.map(({ body }) => JSON.parse(body).type);

describe('a webhook', () => {
  it('receives create, delete and update events, signed as in Standard Webhooks', async () => {
    const { url, received } = await startReceiver();
    const { secret } = await subscribe(url, ['image.created', 'image.deleted', 'album.updated']);
    const image = await upload(1);
    await owner.fetch(`/api/v1/images/${image.key}`, { method: 'DELETE' });
    await owner.fetch('/api/v1/albums', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Trip"}' });
    await eventually(() => expect(typesOf(received).toSorted()).toEqual(['album.updated', 'image.created', 'image.deleted']));
    for (const { headers, body } of received) {
      const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
      expect(verified).toMatchObject({ type: expect.any(String), timestamp: expect.stringMatching(/Z$/) });
      expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
    }
    const created = received.map(({ body }) => JSON.parse(body)).find(({ type }) => type === 'image.created');
    expect(created.data).toMatchObject({ key: image.key, name: image.name, sha256: image.sha256, links: { url: image.links.url } });
    expect(JSON.stringify(received)).not.toMatch(/delete\/|password_hash|uploader_address/);
  });

  it('receives events for albums with a new position or cover, and for no others', async () => {
    const names = ['third', 'second', 'first'];
    const albums = [];
    for (const name of names) albums.unshift(await owner.client.call(createAlbum, { body: { name } }));
    const [first, second, third] = albums.map(({ id }) => id) as [string, string, string];
    const image = await uploadImage(service, token, await photoJpeg({ seed: 20 }), { album_id: second });
    const { url, received } = await startReceiver();
    await subscribe(url, ['album.updated']);
    const albumIds = () => received.map(({ body }) => JSON.parse(body).data.id);
    await owner.client.call(orderAlbums, { body: { ids: [third, first, second] } });
    await eventually(() => expect(albumIds()).toEqual([third]));
    await owner.client.call(orderAlbums, { body: { ids: [third, first, second] } });
    await owner.client.call(changeAlbum, { params: { id: second }, body: { cover_key: image.key } });
    await eventually(() => expect(albumIds()).toEqual([third, second]));
  });

  it('receives only its chosen events, and none while disabled', async () => {
    const { url, received } = await startReceiver();
    const { params } = await subscribe(url, ['image.deleted']);
    const image = await upload(2);
    await owner.client.call(api.changeWebhook, { params, body: { enabled: false } });
    await owner.fetch(`/api/v1/images/${image.key}`, { method: 'DELETE' });
    await owner.client.call(api.changeWebhook, { params, body: { enabled: true } });
    await owner.client.call(api.testWebhook, { params });
    await eventually(() => expect(typesOf(received)).toEqual(['webhook.test']));
  });

  it('receives nothing for a failed upload', async () => {
    const { url, received } = await startReceiver();
    const { params } = await subscribe(url, ['image.created']);
    await expect(uploadImage(service, token, Buffer.from('no picture'))).rejects.toMatchObject({ code: 'ext_not_allowed' });
    expect(await deliveries(params)).toEqual([]);
    expect(received).toEqual([]);
  });

  it('is retried after a failure with the same message ID, and the log records both attempts', async () => {
    const { url, received, statuses } = await startReceiver();
    const { params } = await subscribe(url, ['image.created']);
    statuses.push(500);
    await upload(3);
    await eventually(async () => {
      const [delivery] = await deliveries(params);
      expect(delivery).toMatchObject({ state: 'pending', attempts: 1, last_status: 500 });
      expect(Date.parse(delivery?.next_attempt_at as string)).toBeGreaterThan(Date.now());
    });
    await eventually(async () =>
      expect(await deliveries(params)).toMatchObject([{ state: 'delivered', attempts: 2, last_status: 200, next_attempt_at: null }]),
    );
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('can receive a delivery again', async () => {
    const { url, received } = await startReceiver();
    const { params } = await subscribe(url, ['image.created']);
    await upload(4);
    await eventually(async () => expect(await deliveries(params)).toMatchObject([{ state: 'delivered' }]));
    const [delivery] = await deliveries(params);
    await owner.client.call(api.redeliverWebhook, { params: { ...params, delivery_id: String(delivery?.id) } });
    await eventually(() => expect(received).toHaveLength(2));
    expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
    const foreign = { id: '9999', delivery_id: String(delivery?.id) };
    await expect(owner.client.call(api.redeliverWebhook, { params: foreign })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is disabled when its receiver responds that it is gone', async () => {
    const { url, statuses } = await startReceiver();
    const { params } = await subscribe(url, ['image.created']);
    statuses.push(410);
    await upload(5);
    await eventually(async () => expect(await deliveries(params)).toMatchObject([{ state: 'failed', last_status: 410 }]));
    const { items } = await owner.client.call(api.listWebhooks, { query: {} });
    expect(items.find(({ id }) => String(id) === params.id)).toMatchObject({ enabled: false });
  });

  it('treats a redirect as a failure and doesn’t follow it', async () => {
    const inside = await startReceiver();
    const server = await startWebServer((_request, response) => void response.writeHead(307, { location: inside.url }).end());
    onTestFinished(() => server[Symbol.asyncDispose]());
    const { params } = await subscribe(server.url, ['image.created']);
    await upload(6);
    await eventually(async () => expect(await deliveries(params)).toMatchObject([{ attempts: 1, last_status: 307 }]));
    expect(inside.received).toEqual([]);
  });

  it('keeps pending deliveries across a restart', async () => {
    const { url, received, statuses } = await startReceiver();
    const { params } = await subscribe(url, ['image.created']);
    statuses.push(503);
    await upload(7);
    await eventually(async () => expect(await deliveries(params)).toMatchObject([{ attempts: 1 }]));
    await service.restart();
    const [waiting] = await deliveries(params);
    expect(waiting).toMatchObject({ state: 'pending', attempts: 1 });
    await owner.client.call(api.redeliverWebhook, { params: { ...params, delivery_id: String(waiting?.id) } });
    await eventually(async () => expect(await deliveries(params)).toMatchObject([{ state: 'delivered' }]));
    expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
  });

  it('does not delay a restart when its receiver hangs, and gets the event again', async () => {
    const server = await startWebServer(() => undefined);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const { params } = await subscribe(server.url, ['image.created']);
    await upload(9);
    await eventually(() => expect(server.requests).toHaveLength(1));
    await service.restart();
    // Waiting for the 15 seconds that a receiver has would count as an attempt.
    expect((await deliveries(params))[0]).toMatchObject({ state: 'pending', attempts: 0 });
    await eventually(() => expect(server.requests).toHaveLength(2));
    expect(server.requests[1]?.headers['webhook-id']).toBe(server.requests[0]?.headers['webhook-id']);
  });
});

describe('secrets', () => {
  it('are shown once, replaced at once, and encrypted at rest', async () => {
    const { url, received } = await startReceiver();
    const { secret, params } = await subscribe(url, ['image.created']);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = await owner.fetch('/api/v1/admin/webhooks');
    expect(await listed.text()).not.toMatch(/whsec_|secret/);
    const rotated = await owner.client.call(api.rotateWebhookSecret, { params });
    expect(rotated.secret).not.toBe(secret);
    await owner.client.call(api.testWebhook, { params });
    await eventually(() => expect(received).toHaveLength(1));
    const { headers, body } = received[0] as Received;
    expect(new Webhook(rotated.secret).verify(body, headers as Record<string, string>)).toBeTruthy();
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).toThrow();
  });
});

describe('addresses', () => {
  it.each([
    'http://169.254.169.254/',
    'http://[::1]/',
    'http://10.0.0.1/hook',
    'http://0.0.0.0/',
    'ftp://example.org/',
    'http://u:p@127.0.0.1/',
    'nonsense',
  ])('are refused: %s', async (url) => {
    const request = owner.client.call(api.createWebhook, { body: { name: 'inside', url, events: ['image.created'] } });
    await expect(request).rejects.toMatchObject({ code: 'url_not_allowed', details: { field: 'url' } });
  });

  it('receive nothing once an admin has removed them from the list', async () => {
    const { url, received } = await startReceiver();
    const { params } = await subscribe(url, ['image.created']);
    await owner.client.call(changeAdminSettings, { body: { fetch_allowed_hosts: [] } });
    onTestFinished(async () => void (await owner.client.call(changeAdminSettings, { body: { fetch_allowed_hosts: ['127.0.0.1'] } })));
    await upload(8);
    await eventually(async () =>
      expect(await deliveries(params)).toMatchObject([
        { attempts: 1, last_status: null, last_error: expect.stringMatching(/isn’t on the public/) },
      ]),
    );
    expect(received).toEqual([]);
  });
});

import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createBackup } from '#api/admin/backup.ts';
import { changeUser } from '#api/admin/users.ts';
import { changeAlbum, createAlbum, deleteAlbum, orderAlbums } from '#api/albums/albums.ts';
import { listTokens, revokeToken } from '#api/auth/tokens.ts';
import { endOtherSessions } from '#api/auth/user.ts';
import type { EventKind } from '#api/events.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { trashImage } from '#api/images/images.ts';
import { emptyTrash, restoreTrash } from '#api/images/trash.ts';
import { createStream } from '#server/features/events/stream.ts';
import { openEvents } from '#test/helpers/network/event-stream.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { type SignedIn, setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const token = await owner.token('full');
const second = await addUser(service, 'second');

let number = 0;
const upload = async (by = token) => (await uploadImage(service, by, tinyPng(++number))).key;
const streamOf = async ({ cookie }: SignedIn, headers = {}) => {
  const stream = await openEvents(service, { cookie, ...headers });
  await expect.poll(() => stream.events.length).toBeGreaterThan(0);
  return stream;
};

it('tells proxies to pass it on unbuffered, and begins by asking for everything to be read again', async () => {
  const { response, events } = await streamOf(owner);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(events).toEqual([{ id: expect.stringMatching(/^[\w-]{60,}$/), kind: 'resync', keys: [] }]);
});

it('names what changes in a user’s library, and nothing of it to others', async () => {
  const [own, foreign] = [await streamOf(owner), await streamOf(second)];
  const [one, two] = [await upload(), await upload()];
  await expect.poll(own.told).toEqual({ 'image.created': [one, two] });

  const album = await owner.client.call(createAlbum, { body: { name: 'Harbour' } });
  await owner.client.call(updateImage, { params: { key: one }, body: { title: 'Boats' } });
  await expect.poll(own.told).toMatchObject({ 'image.changed': [one], 'album.changed': [album.id] });
  const { undo } = await owner.client.call(batchImages, { body: { action: 'move', keys: [two], album_id: album.id } });
  await expect.poll(own.told).toMatchObject({ 'image.changed': [one, two], 'album.changed': [album.id, album.id] });
  await owner.client.call(batchImages, { body: { action: 'undo', undo: undo ?? '' } });
  await expect.poll(() => own.told()['image.changed']).toEqual([one, two, two]);
  await owner.client.call(batchImages, { body: { action: 'tag', mode: 'add', keys: [one], tags: ['sea'] } });
  await expect.poll(() => own.told()['image.changed']).toEqual([one, two, two, one]);

  await owner.client.call(trashImage, { params: { key: one } });
  await expect.poll(own.told).toMatchObject({ 'image.deleted': [one] });
  await owner.client.call(restoreTrash, { body: { keys: [one] } });
  await expect.poll(() => own.told()['image.changed']).toEqual([one, two, two, one, one]);
  await owner.client.call(trashImage, { params: { key: two } });
  await expect.poll(own.told).toMatchObject({ 'image.deleted': [one, two] });
  await owner.client.call(emptyTrash, {});
  await expect.poll(own.told).toMatchObject({ 'image.deleted': [one, two, two] });

  await owner.client.call(updateImage, { params: { key: one }, body: { album_id: album.id } });
  await expect.poll(() => own.told()['image.changed']).toHaveLength(6);
  await owner.client.call(deleteAlbum, { params: { id: album.id }, query: {} });
  await expect.poll(() => own.told()['image.changed']).toHaveLength(7);

  const mine = await upload(await second.token('upload'));
  await expect.poll(foreign.told).toEqual({ 'image.created': [mine] });
  expect(own.told()['image.created']).not.toContain(mine);
});

it('tells of albums that are changed, sorted and deleted', async () => {
  const stream = await streamOf(owner);
  const told = () => new Set(stream.told()['album.changed']);
  const { id: one } = await owner.client.call(createAlbum, { body: { name: 'One' } });
  const { id: two } = await owner.client.call(createAlbum, { body: { name: 'Two' } });
  await expect.poll(told).toEqual(new Set([one, two]));
  stream.events.length = 0;
  await owner.client.call(changeAlbum, { params: { id: one }, body: { name: 'First' } });
  await expect.poll(told).toEqual(new Set([one]));
  stream.events.length = 0;
  await owner.client.call(orderAlbums, { body: { ids: [one] } });
  await expect.poll(told).toEqual(new Set([one]));
  stream.events.length = 0;
  await owner.client.call(deleteAlbum, { params: { id: two }, query: {} });
  await expect.poll(told).toEqual(new Set([two]));
});

it('tells admins of the progress of jobs, and nobody else', async () => {
  const [admin, user] = [await streamOf(owner), await streamOf(second)];
  await owner.client.call(createBackup, {});
  await expect.poll(() => new Set(admin.told()['job.changed'])).toEqual(new Set(['backup']));
  const mine = await upload(await second.token('upload'));
  await expect.poll(user.told).toEqual({ 'image.created': [mine] });
});

it('sends changes to many pictures as a few events', async () => {
  const keys = await withDatabase(service, (db) => addImageRows(db, second.id, 600, () => ({})));
  const stream = await streamOf(second);
  await second.client.call(batchImages, { body: { action: 'trash', keys: keys.slice(0, 300) } });
  await expect.poll(stream.told).toEqual({ 'image.deleted': expect.arrayContaining(keys.slice(0, 300)) });
  expect(stream.events.filter(({ kind }) => kind === 'image.deleted')).toHaveLength(1);
  await second.client.call(batchImages, { body: { action: 'trash', query: {} } });
  await expect.poll(stream.told).toEqual({ 'image.deleted': expect.arrayContaining(keys) });
  expect(stream.events.length).toBeLessThan(20);
});

describe('after an interruption', () => {
  it('continues after the last event received', async () => {
    const first = await streamOf(owner);
    const one = await upload();
    await expect.poll(first.told).toEqual({ 'image.created': [one] });
    first.close();
    const two = await upload();
    await upload(await second.token('upload'));
    const next = await openEvents(service, { cookie: owner.cookie, 'last-event-id': first.events.at(-1)?.id ?? '' });
    await expect.poll(() => next.events.map(({ kind, keys }) => ({ kind, keys }))).toEqual([{ kind: 'image.created', keys: [two] }]);
  });

  it('asks for everything to be read again when it doesn’t know that event', async () => {
    for (const id of ['', '-1', 'another-3', 'x', 'a'.repeat(3_000)]) {
      const { events } = await streamOf(owner, { 'last-event-id': id });
      expect(events).toMatchObject([{ kind: 'resync' }]);
    }
    const [first] = (await streamOf(owner)).events;
    const { events } = await streamOf(owner, { 'last-event-id': `${first?.id.split('-')[0]}-999999999` });
    expect(events).toMatchObject([{ kind: 'resync' }]);
  });
});

describe('ends', () => {
  const ends = (stream: { ended: Promise<void> }) => expect(stream.ended).resolves.toBeUndefined();

  it('with its session, and sends nothing after that', async () => {
    const session = await newSession(service, 'second', USER_PASSWORD);
    const stream = await streamOf(session);
    await second.client.call(endOtherSessions, {});
    await upload(await second.token('upload'));
    await ends(stream);
    expect(stream.told()).toEqual({});
  });

  it('with its token', async () => {
    const full = await second.token('full');
    const stream = await openEvents(service, { authorization: `Bearer ${full}` });
    const { items } = await second.client.call(listTokens, { query: {} });
    await second.client.call(revokeToken, { params: { id: items[0]?.id ?? '' } });
    await ends(stream);
  });

  it('with its account’s access', async () => {
    const user = await addUser(service, 'leaving');
    const stream = await streamOf(user);
    await owner.client.call(changeUser, { params: { id: user.id }, body: { disabled: true } });
    await ends(stream);
  });

  it('with the service, which doesn’t wait for it', async () => {
    const other = await startTestService();
    onTestFinished(() => other[Symbol.asyncDispose]());
    const { cookie } = await setUp(other);
    const stream = await openEvents(other, { cookie });
    const began = performance.now();
    await other.stop();
    expect(performance.now() - began).toBeLessThan(5_000);
    await ends(stream);
  });
});

it('is refused to more than ten clients of one user', async () => {
  const user = await addUser(service, 'busy');
  const open = await Promise.all(Array.from({ length: 10 }, () => streamOf(user)));
  const refused = await user.fetch('/api/v1/events');
  expect({ status: refused.status, body: await refused.json() }).toMatchObject({
    status: 429,
    body: { data: { code: 'rate_limited', retry_after: 60 } },
  });
  await streamOf(second);
  open[0]?.close();
  await expect.poll(async () => (await openEvents(service, { cookie: user.cookie })).response.status).toBe(200);
});

it('is reported by the metrics', async () => {
  await streamOf(owner);
  const metrics = await owner.fetch('/metrics');
  expect(await metrics.text()).toMatch(/^pixdock_event_streams [1-9]/m);
});

/** A response whose client reads nothing while `writableNeedDrain` is set. */
class SlowResponse extends EventEmitter {
  writableNeedDrain = false;
  destroyed = false;
  written: string[] = [];
  write(text: string) {
    this.written.push(text);
  }
  end() {
    this.destroyed = true;
  }
  drain() {
    this.writableNeedDrain = false;
    this.emit('drain');
  }
}

function open(mayStillSend = async (_kind: EventKind) => true) {
  const response = new SlowResponse();
  const stream = createStream(response as unknown as ServerResponse, {
    idOf: (number) => `run-${number}`,
    from: 0,
    mayStillSend,
    sharedAlbums: async () => [],
  });
  let number = 0;
  const tell = (kind: EventKind, ...keys: string[]) => stream.add({ kind, ownerId: 1, keys }, ++number);
  const received = () =>
    response.written.map((text) =>
      Object.fromEntries(
        text
          .trim()
          .split('\n')
          .map((line) => line.split(/: (.*)/s)),
      ),
    );
  return { response, stream, tell, received };
}

it('gathers changes by kind, and gives the last of them the id', async () => {
  const { tell, received } = open();
  tell('image.created', 'a');
  tell('album.changed', 'x');
  tell('image.created', 'b', 'a');
  await expect.poll(received).toEqual([
    { event: 'image.created', data: '{"keys":["a","b"]}' },
    { id: 'run-3', event: 'album.changed', data: '{"keys":["x"]}' },
  ]);
});

it('keeps little for a client that reads nothing, and then asks it to read everything again', async () => {
  vi.useFakeTimers();
  const { response, stream, tell, received } = open();
  response.writableNeedDrain = true;
  for (let number = 0; number < 5_000; number++) tell(number % 2 ? 'image.created' : 'image.deleted', `key ${number}`);
  await vi.advanceTimersByTimeAsync(60_000);
  stream.heartbeat();
  expect(response.written).toEqual([]);
  response.drain();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(received()).toEqual([{ id: 'run-5000', event: 'resync', data: '{"keys":[]}' }]);
  stream.heartbeat();
  expect(received().at(-1)).toEqual({ id: 'run-5000', event: 'heartbeat', data: '{"keys":[]}' });
  vi.useRealTimers();
});

it('tells of what was received, which reading everything again wouldn’t show', async () => {
  const { stream, tell, received } = open();
  stream.add(undefined, 1);
  tell('image.created', 'a');
  tell('request.received', '1');
  await expect.poll(received).toMatchObject([{ event: 'resync' }, { event: 'request.received', data: '{"keys":["1"]}' }]);
  tell('request.received', '2');
  tell('sent.received', 's');
  for (let number = 0; number < 2_000; number++) tell('image.deleted', `key ${number}`);
  await expect
    .poll(received)
    .toMatchObject([
      {},
      {},
      { event: 'resync' },
      { event: 'request.received', data: '{"keys":["2"]}' },
      { event: 'sent.received', data: '{"keys":["s"]}' },
    ]);
});

it('sends nothing that its client may no longer see, and ends when that can’t be decided', async () => {
  const refused = open(async (kind) => kind !== 'job.changed');
  refused.tell('job.changed', 'backup');
  refused.tell('image.created', 'a');
  await expect.poll(refused.received).toMatchObject([{ event: 'image.created' }]);
  const failing = open(() => Promise.reject(new Error('the database is down')));
  failing.tell('image.created', 'a');
  await expect.poll(() => failing.response.destroyed).toBe(true);
  expect(failing.received()).toEqual([]);
});

import { expect, it } from 'vitest';
import { changeGroup, createGroup } from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { changeUser, deleteUser, transferUser } from '#api/admin/users.ts';
import { createAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { listAlbumImages } from '#api/albums/pictures.ts';
import { MAX_RECIPIENTS, MAX_SENT } from '#api/constants.ts';
import type { RouteInput } from '#api/contract.ts';
import { updateImage } from '#api/images/changes.ts';
import { getImage, trashImage } from '#api/images/images.ts';
import { purgeTrash, restoreTrash } from '#api/images/trash.ts';
import { addReceived, listReceived, listSent, markSeen, removeReceived, removeSent, send } from '#api/sent.ts';
import { openEvents } from '#test/helpers/network/event-stream.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { type AddedUser, addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner: admin } = await startFileService();

let number = 0;
/** Users of their own for each test, since limits and boxes are by user. */
const newUser = (name: string) => addUser(service, `${name}${++number}`);
const nameOf = async (user: AddedUser) =>
  withDatabase(
    service,
    async ({ read }) => (await read.selectFrom('users').select('username').where('id', '=', user.id).executeTakeFirstOrThrow()).username,
  );
const upload = async (user: AddedUser, fields: Record<string, string> = {}) =>
  uploadImage(service, await user.token('full'), tinyPng(++number), { visibility: 'private', ...fields });
type To = RouteInput<typeof send>['body']['to'];
const sendTo = (from: AddedUser, to: To, keys: string[], message = '') => from.client.call(send, { body: { keys, to, message } });
const toUsers = async (...users: AddedUser[]) => Promise.all(users.map(async (user) => ({ username: await nameOf(user) })));
const box = (user: Pick<AddedUser, 'client'>, name: 'in' | 'out', query: object = {}) =>
  user.client.call(listSent, { query: { box: name, ...query } });
const keysIn = async (user: AddedUser) => (await box(user, 'in')).items.map(({ items }) => items.map(({ key }) => key));
const code = (call: Promise<unknown>) => call.then(String, (error: { code?: string }) => error.code);
const refusal = (call: Promise<unknown>) =>
  call.then(String, (error: { code: string; message: string; details: object }) => ({
    code: error.code,
    message: error.message,
    ...error.details,
  }));
const opens = async (user: AddedUser, url: string) => (await user.fetch(new URL(url).pathname)).status;

it('sends private pictures, which their recipients see and open, and nobody else', async () => {
  const [bea, cora, vera, zoe] = [await newUser('bea'), await newUser('cora'), await newUser('vera'), await newUser('zoe')];
  const [one, two] = [await upload(bea, { tags: 'secret', title: 'Sea' }), await upload(bea)];
  const sent = await sendTo(
    bea,
    [{ username: (await nameOf(cora)).toUpperCase() }, ...(await toUsers(vera))],
    [two.key, one.key, two.key],
    'Look',
  );
  expect(sent).toMatchObject({
    id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    sender: { id: bea.id, avatar_url: null },
    recipients: [
      { id: cora.id, seen_at: null },
      { id: vera.id, seen_at: null },
    ],
    message: 'Look',
    seen_at: null,
    image_count: 2,
    items: [{ key: two.key }, { key: one.key }],
  });
  const { items, next_cursor, unseen } = await box(cora, 'in');
  expect([items.length, next_cursor, unseen]).toEqual([1, null, 1]);
  expect(items[0]).toMatchObject({ id: sent.id, sender: { id: bea.id }, message: 'Look', seen_at: null, image_count: 2 });
  expect(items[0]).not.toHaveProperty('recipients');
  expect(items[0]?.items.map(({ key, title, owner }) => [key, title, owner.id])).toEqual([
    [two.key, '', bea.id],
    [one.key, 'Sea', bea.id],
  ]);
  expect(JSON.stringify(items)).not.toMatch(/secret|delete_url|sha256|"views"|"tags"/);
  for (const { links } of [one, two])
    expect([
      await opens(cora, links.url),
      await opens(vera, links.thumbnail_url),
      await opens(zoe, links.url),
      await opens(zoe, links.share_url),
    ]).toEqual([200, 200, 404, 404]);
  expect((await fetch(one.links.url)).status).toBe(404);
  expect(await box(cora, 'in', { limit: 0 })).toEqual({ items: [], next_cursor: null, unseen: 1 });
  expect(await box(bea, 'in')).toMatchObject({ items: [], unseen: 0 });
  // Placeholders of the pictures may have been made meanwhile.
  const { items: sentItems, ...rest } = sent;
  expect((await box(bea, 'out')).items).toMatchObject([{ ...rest, items: sentItems.map(({ thumbhash: _, ...image }) => image) }]);
});

it('notes once when a recipient has seen it, and tells the sender', async () => {
  const [bea, cora, vera] = [await newUser('bea'), await newUser('cora'), await newUser('vera')];
  const { key } = await upload(bea);
  const stream = await openEvents(service, { cookie: bea.cookie });
  const received = await openEvents(service, { cookie: cora.cookie });
  await expect.poll(() => [stream.events.length, received.events.length]).toEqual([1, 1]);
  const { id } = await sendTo(bea, await toUsers(cora, vera), [key]);
  await expect.poll(received.told).toEqual({ 'sent.received': [id] });
  await expect.poll(stream.told).toMatchObject({ 'sent.changed': [id] });
  await cora.client.call(markSeen, { params: { id } });
  const { seen_at } = (await box(cora, 'in')).items[0] ?? {};
  expect(seen_at).toEqual(expect.any(String));
  await cora.client.call(markSeen, { params: { id } });
  const [out] = (await box(bea, 'out')).items;
  expect(out?.recipients?.map(({ seen_at: at }) => at)).toEqual([seen_at, null]);
  expect((await box(cora, 'in')).unseen).toBe(0);
  await expect.poll(stream.told).toMatchObject({ 'sent.changed': [id, id] });
  expect(await code(bea.client.call(markSeen, { params: { id } }))).toBe('not_found');
  expect(await code(bea.client.call(markSeen, { params: { id: 'x'.repeat(22) } }))).toBe('not_found');
});

it('takes back from everyone at once, and removes from one list only', async () => {
  const [bea, cora, vera] = [await newUser('bea'), await newUser('cora'), await newUser('vera')];
  const { key, links } = await upload(bea);
  const first = await sendTo(bea, await toUsers(cora, vera), [key]);
  await cora.client.call(removeSent, { params: { id: first.id } });
  expect([await keysIn(cora), await keysIn(vera)]).toEqual([[], [[key]]]);
  expect([await opens(cora, links.url), await opens(vera, links.url)]).toEqual([404, 200]);
  for (const route of [removeSent, markSeen]) expect(await code(cora.client.call(route, { params: { id: first.id } }))).toBe('not_found');
  // The sender goes on seeing to whom it was sent.
  expect((await box(bea, 'out')).items[0]?.recipients).toHaveLength(2);
  const again = await sendTo(bea, await toUsers(cora), [key]);
  expect(await opens(cora, links.url)).toBe(200);
  const stream = await openEvents(service, { cookie: vera.cookie });
  await expect.poll(() => stream.events.length).toBe(1);
  for (const { id } of [first, again]) await bea.client.call(removeSent, { params: { id } });
  await expect.poll(stream.told).toEqual({ 'sent.changed': [first.id] });
  expect([await keysIn(cora), await keysIn(vera), (await box(bea, 'out')).items]).toEqual([[], [], []]);
  expect([await opens(cora, links.url), await opens(vera, links.url)]).toEqual([404, 404]);
  expect(await code(bea.client.call(removeSent, { params: { id: first.id } }))).toBe('not_found');
});

it('follows the pictures: the trash, passwords, limits, expiry, and their owner', async () => {
  const [bea, cora, heir] = [await newUser('bea'), await newUser('cora'), await newUser('heir')];
  const pictures = [await upload(bea), await upload(bea), await upload(bea), await upload(bea)];
  const [plain, locked, limited, expiring] = pictures.map(({ key }) => key) as [string, string, string, string];
  const url = (key: string) => pictures.find((picture) => picture.key === key)?.links.url ?? '';
  await sendTo(bea, await toUsers(cora), [plain, locked, limited, expiring]);
  const change = (key: string, body: object) => bea.client.call(updateImage, { params: { key }, body });
  await change(locked, { access_password: 'sesame' });
  await change(limited, { max_views: 1 });
  expect(await keysIn(cora)).toEqual([[plain, expiring]]);
  expect((await box(cora, 'in')).items[0]?.image_count).toBe(4);
  expect((await box(bea, 'out')).items[0]?.items).toHaveLength(4);
  expect([await opens(cora, url(locked)), await opens(cora, url(limited)), await opens(cora, url(limited))]).toEqual([401, 200, 410]);
  const unlocked = await cora.fetch(`/api/v1/s/${locked}/unlock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"password":"sesame"}',
  });
  const cookie = `${cora.cookie}; ${unlocked.headers.getSetCookie()[0]?.split(';')[0]}`;
  const list = await (await fetch(`${service.url}/api/v1/sent?box=in`, { headers: { cookie } })).json();
  expect(list.data.items[0].items.map(({ key }: { key: string }) => key)).toEqual([plain, locked, expiring]);
  await bea.client.call(trashImage, { params: { key: plain } });
  await withDatabase(service, (db) =>
    db.as('job').write((queries) =>
      queries
        .updateTable('images')
        .set({ expires_at: Date.now() - 1 })
        .where('key', '=', expiring)
        .execute(),
    ),
  );
  expect(await keysIn(cora)).toEqual([[]]);
  expect(await opens(cora, url(plain))).toBe(404);
  await bea.client.call(restoreTrash, { body: { keys: [plain] } });
  expect([await keysIn(cora), await opens(cora, url(plain))]).toEqual([[[plain]], 200]);
  await bea.client.call(trashImage, { params: { key: plain } });
  await bea.client.call(purgeTrash, { body: { keys: [plain] } });
  expect(await keysIn(cora)).toEqual([[]]);
  // What moves to another account leaves what was sent, and doesn't come back with it.
  const { key, links } = await upload(bea);
  await sendTo(bea, await toUsers(cora), [key]);
  await admin.client.call(transferUser, { params: { id: bea.id }, body: { to_user_id: heir.id } });
  expect([(await keysIn(cora))[0], await opens(cora, links.url)]).toEqual([[], 404]);
  await admin.client.call(transferUser, { params: { id: heir.id }, body: { to_user_id: bea.id } });
  expect([(await keysIn(cora))[0], await opens(cora, links.url)]).toEqual([[], 404]);
});

it('refuses pictures that aren’t the sender’s, in the trash, or too many', async () => {
  const [bea, cora] = [await newUser('bea'), await newUser('cora')];
  const [own, trashed, foreign] = [await upload(bea), await upload(bea), await upload(cora, { visibility: 'public' })];
  await bea.client.call(trashImage, { params: { key: trashed.key } });
  const to = await toUsers(cora);
  for (const keys of [[foreign.key], [own.key, foreign.key], [trashed.key], ['x'.repeat(12)]])
    expect(await code(sendTo(bea, to, keys))).toBe('not_found');
  const many = Array.from({ length: 501 }, (_, index) => `${index}`.padStart(12, '0'));
  expect(await refusal(sendTo(bea, to, many))).toMatchObject({ code: 'invalid_request', field: 'keys', problem: 'too_many', limit: 500 });
  expect(await code(sendTo(bea, to, []))).toBe('invalid_request');
  expect(await code(sendTo(bea, [], [own.key]))).toBe('invalid_request');
  expect((await box(cora, 'in')).items).toEqual([]);
});

it('refuses recipients that don’t exist, are disabled, or are the sender, and says whom', async () => {
  const [bea, cora, off] = [await newUser('bea'), await newUser('cora'), await newUser('off')];
  const { key } = await upload(bea);
  await admin.client.call(changeUser, { params: { id: off.id }, body: { disabled: true } });
  const [off_name] = await toUsers(off);
  for (const unknown of [{ username: 'nobody at all' }, off_name as { username: string }])
    expect(await refusal(sendTo(bea, [...(await toUsers(cora)), unknown], [key]))).toMatchObject({
      code: 'not_found',
      field: 'to',
      problem: 'unknown_user',
      message: `No user of this server is called “${unknown.username}”. Enter the name exactly.`,
      subject: unknown.username,
    });
  expect(await refusal(sendTo(bea, await toUsers(cora, bea), [key]))).toMatchObject({ code: 'invalid_request', field: 'to' });
  expect((await box(cora, 'in')).items).toEqual([]);
});

it('sends to the members that a listed group has then, without the sender', async () => {
  const [bea, cora, off, late] = [await newUser('bea'), await newUser('cora'), await newUser('off'), await newUser('late')];
  const { key, links } = await upload(bea);
  const name = `Writers ${++number}`;
  const { id } = await admin.client.call(createGroup, { body: { name } });
  const move = (user: AddedUser, body: object) => admin.client.call(changeUser, { params: { id: user.id }, body });
  expect(await code(sendTo(bea, [{ group_id: id }], [key]))).toBe('not_found');
  await admin.client.call(changeGroup, { params: { id }, body: { listed: true } });
  expect(await refusal(sendTo(bea, [{ group_id: id }], [key]))).toMatchObject({
    code: 'invalid_request',
    problem: 'empty_group',
    subject: name,
  });
  await move(bea, { group_id: id });
  expect(await refusal(sendTo(bea, [{ group_id: id }], [key]))).toMatchObject({ code: 'invalid_request', problem: 'empty_group' });
  for (const user of [cora, off]) await move(user, { group_id: id });
  await move(off, { disabled: true });
  const sent = await sendTo(bea, [{ group_id: id }, ...(await toUsers(cora))], [key]);
  expect(sent.recipients?.map((user) => user.id)).toEqual([cora.id]);
  await move(late, { group_id: id });
  expect([await opens(cora, links.url), await opens(late, links.url)]).toEqual([200, 404]);
  // It was sent to people: leaving the group takes nothing from them.
  await move(cora, { group_id: 2 });
  expect(await opens(cora, links.url)).toBe(200);
  await withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      const user = await queries.selectFrom('users').selectAll().where('id', '=', late.id).executeTakeFirstOrThrow();
      const many = Array.from({ length: MAX_RECIPIENTS }, (_, index) => {
        const username = `many-${number}-${index}`;
        return { ...user, id: undefined, username, username_key: username, email: null, email_key: null };
      });
      await queries.insertInto('users').values(many).execute();
    }),
  );
  expect(await refusal(sendTo(bea, [{ group_id: id }], [key]))).toMatchObject({
    code: 'invalid_request',
    problem: 'too_many',
    limit: MAX_RECIPIENTS,
  });
});

it('pages through what was sent to many, a few at a time', async () => {
  const bea = await newUser('bea');
  const { key } = await upload(bea);
  const { id } = await admin.client.call(createGroup, { body: { name: `Everyone ${++number}` } });
  await admin.client.call(changeGroup, { params: { id }, body: { listed: true } });
  await withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      const user = await queries.selectFrom('users').selectAll().where('id', '=', bea.id).executeTakeFirstOrThrow();
      const many = Array.from({ length: MAX_RECIPIENTS }, (_, index) => {
        const username = `all-${number}-${index}`;
        return { ...user, id: undefined, group_id: id, username, username_key: username, email: null, email_key: null };
      });
      await queries.insertInto('users').values(many).execute();
    }),
  );
  for (const message of ['1', '2', '3']) await sendTo(bea, [{ group_id: id }], [key], message);
  const first = await box(bea, 'out');
  const second = await box(bea, 'out', { cursor: first.next_cursor });
  expect([...first.items, ...second.items].map(({ message, recipients }) => [message, recipients?.length])).toEqual([
    ['3', MAX_RECIPIENTS],
    ['2', MAX_RECIPIENTS],
  ]);
});

it('with the directory off, tells no more about accounts than sharing an album, and nothing about groups', async () => {
  const [bea, cora] = [await newUser('bea'), await newUser('cora')];
  const { key } = await upload(bea);
  const { id } = await admin.client.call(createGroup, { body: { name: `Listed ${++number}` } });
  await admin.client.call(changeGroup, { params: { id }, body: { listed: true } });
  const album = (await bea.client.call(createAlbum, { body: { name: 'Album' } })).id;
  await admin.client.call(changeAdminSettings, { body: { team_directory: false } });
  try {
    const [one, other] = [await refusal(sendTo(bea, [{ group_id: id }], [key])), await refusal(sendTo(bea, [{ group_id: 999 }], [key]))];
    expect(one).toMatchObject({ code: 'not_found' });
    expect(other).toEqual(one);
    const [known] = await toUsers(cora);
    await sendTo(bea, [known as { username: string }], [key]);
    const guess = (count: number) =>
      sendTo(
        bea,
        Array.from({ length: count }, (_, index) => ({ username: `guess-${index}` })),
        [key],
      );
    expect(await code(guess(20))).toBe('not_found');
    // Names for albums count as well: 30 an hour together.
    const named = () => code(bea.client.call(putMember, { params: { id: album }, body: { username: 'nobody', role: 'viewer' } }));
    for (let count = 0; count < 8; count++) expect(await named()).toBe('not_found');
    expect(await code(guess(1))).toBe('not_found');
    expect(await code(guess(1))).toBe('rate_limited');
    expect(await named()).toBe('rate_limited');
    // Whom one has sent to before is known already.
    await sendTo(bea, [known as { username: string }], [key]);
  } finally {
    await admin.client.call(changeAdminSettings, { body: { team_directory: true } });
  }
  expect(await code(sendTo(bea, [{ username: 'nobody at all' }], [key]))).toBe('not_found');
});

it('pages through both lists, with fewer entries where they have many pictures', async () => {
  const [bea, cora] = [await newUser('bea'), await newUser('cora')];
  const [{ key }, { key: other }] = [await upload(bea), await upload(bea)];
  const to = await toUsers(cora);
  for (const message of ['1', '2', '3']) await sendTo(bea, to, [key, other], message);
  for (const [user, name] of [
    [cora, 'in'],
    [bea, 'out'],
  ] as const) {
    const first = await box(user, name, { limit: 2 });
    const second = await box(user, name, { limit: 2, cursor: first.next_cursor });
    expect([...first.items, ...second.items].map(({ message }) => message).sort()).toEqual(['1', '2', '3']);
    expect([first.items.length, second.next_cursor]).toEqual([2, null]);
  }
  await withDatabase(service, (db) =>
    db.as('job').write((queries) => queries.updateTable('sendings').set({ image_count: 500 }).where('sender_id', '=', bea.id).execute()),
  );
  const first = await box(cora, 'in');
  expect([first.items.length, (await box(cora, 'in', { cursor: first.next_cursor })).items.length]).toEqual([2, 1]);
});

it('keeps the latest that a user has sent, and limits how often', async () => {
  const [bea, cora] = [await newUser('bea'), await newUser('cora')];
  const { key } = await upload(bea);
  const to = await toUsers(cora);
  await withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      const rows = Array.from({ length: MAX_SENT }, (_, index) => ({
        id: `old${index}`.padEnd(22, 'x'),
        sender_id: bea.id,
        message: String(index),
        image_count: 1,
        created_at: index,
      }));
      for (let from = 0; from < rows.length; from += 200)
        await queries
          .insertInto('sendings')
          .values(rows.slice(from, from + 200))
          .execute();
      await queries
        .insertInto('sending_recipients')
        .values(rows.slice(0, 2).map(({ id }) => ({ sending_id: id, user_id: cora.id, sent_at: 0, seen_at: null, removed_at: null })))
        .execute();
    }),
  );
  await sendTo(bea, to, [key], 'new');
  const messages = (await box(cora, 'in')).items.map(({ message }) => message);
  expect(messages).toEqual(['new', '1']);
  for (let count = 1; count < 120; count++) await sendTo(bea, to, [key]);
  expect(await refusal(sendTo(bea, to, [key]))).toMatchObject({ code: 'rate_limited', retry_after: expect.any(Number) });
});

it.each(['disabled', 'deleted'] as const)('ends what an account has sent and was sent in the commit in which it is %s', async (how) => {
  const [bea, cora, vera] = [await newUser('bea'), await newUser('cora'), await newUser('vera')];
  const [ofBea, ofCora] = [await upload(bea), await upload(cora)];
  await sendTo(bea, await toUsers(cora, vera), [ofBea.key]);
  await sendTo(cora, await toUsers(bea, vera), [ofCora.key]);
  if (how === 'disabled') await admin.client.call(changeUser, { params: { id: bea.id }, body: { disabled: true } });
  else await admin.client.call(deleteUser, { params: { id: bea.id }, query: { to_user_id: vera.id } });
  expect([await keysIn(cora), await keysIn(vera)]).toEqual([[], [[ofCora.key]]]);
  expect([await opens(cora, ofBea.links.url), await opens(vera, ofCora.links.url)]).toEqual([404, 200]);
  expect((await box(cora, 'out')).items[0]?.recipients?.map(({ id }) => id)).toEqual([vera.id]);
  if (how === 'deleted') return;
  await admin.client.call(changeUser, { params: { id: bea.id }, body: { disabled: false } });
  expect(await keysIn(cora)).toEqual([]);
});

it('notifies webhooks of what is sent, taken back and removed', async () => {
  const [bea, cora, vera] = [await newUser('bea'), await newUser('cora'), await newUser('vera')];
  const { key } = await upload(bea);
  await withDatabase(service, (db) =>
    db.as('job').write((queries) =>
      queries
        .insertInto('webhooks')
        .values({
          name: 's',
          url: 'http://127.0.0.1:9',
          events: '["sent.created","sent.removed"]',
          secret: '',
          enabled: 1,
          created_at: 1,
        })
        .execute(),
    ),
  );
  const { id } = await sendTo(bea, await toUsers(cora, vera), [key], 'Look');
  await cora.client.call(removeSent, { params: { id } });
  await bea.client.call(removeSent, { params: { id } });
  const rows = await withDatabase(service, ({ read }) =>
    read.selectFrom('webhook_deliveries').select(['type', 'data']).where('type', 'like', 'sent.%').orderBy('id').execute(),
  );
  expect(rows.map(({ type, data }) => [type, JSON.parse(data)])).toEqual([
    ['sent.created', { id, sender_id: bea.id, recipient_ids: [cora.id, vera.id], keys: [key], message: 'Look' }],
    ['sent.removed', { id, sender_id: bea.id, recipient_ids: [cora.id] }],
    ['sent.removed', { id, sender_id: bea.id, recipient_ids: [vera.id] }],
  ]);
});

/** A private picture that was sent to a user and that is in an album of theirs, and what says which are there. */
async function receivedInAlbum() {
  const [bea, cora] = [await newUser('bea'), await newUser('cora')];
  const picture = await upload(bea);
  const sent = await sendTo(bea, await toUsers(cora), [picture.key]);
  const album = await cora.client.call(createAlbum, { body: { name: 'Harbours', visibility: 'public' } });
  const params = { id: album.id };
  await cora.client.call(addReceived, { params, body: { sent_id: sent.id, keys: [picture.key] } });
  const keys = async () => (await cora.client.call(listReceived, { params, query: {} })).items.map(({ key }) => key);
  return { bea, cora, picture, sent, params, keys };
}

it('a picture that was sent is in an album for its owner alone, whoever else the album is for', async () => {
  const { bea, cora, picture, sent, params, keys } = await receivedInAlbum();
  const vera = await newUser('vera');
  await cora.client.call(putMember, { params, body: { everyone: true, role: 'manager' } });
  await bea.client.call(updateImage, { params: { key: picture.key }, body: { visibility: 'public' } });
  expect((await cora.client.call(listReceived, { params, query: {} })).items).toMatchObject([{ key: picture.key, owner: { id: bea.id } }]);
  for (const user of [vera, bea, admin]) {
    expect(await code(user.client.call(listReceived, { params, query: {} }))).toBe('forbidden');
    expect(await code(user.client.call(removeReceived, { params: { ...params, key: picture.key } }))).toBe('forbidden');
    expect((await user.client.call(listAlbumImages, { params, query: {} })).items).toEqual([]);
  }
  const visitors = await fetch(`${service.url}/api/v1/a/${params.id}/images`);
  expect([visitors.status, (await visitors.json()).data.items]).toEqual([200, []]);
  // The sender isn't told where it is, and can't be named a contributor through it.
  expect((await bea.client.call(getImage, { params: { key: picture.key } })).albums).toEqual([]);
  expect(await code(vera.client.call(addReceived, { params, body: { sent_id: sent.id, keys: [picture.key] } }))).toBe('forbidden');
  const stranger = await bea.client.call(createAlbum, { body: { name: 'Own' } });
  expect(await code(cora.client.call(listReceived, { params: { id: stranger.id }, query: {} }))).toBe('not_found');
  const own = { params: { id: stranger.id }, body: { sent_id: sent.id, keys: [picture.key] } };
  expect(await code(bea.client.call(addReceived, own))).toBe('not_found');
  // Twice is once, and nothing but what was sent then can be added.
  await cora.client.call(addReceived, { params, body: { sent_id: sent.id, keys: [picture.key] } });
  const other = await upload(bea, { visibility: 'public' });
  expect(await code(cora.client.call(addReceived, { params, body: { sent_id: sent.id, keys: [picture.key, other.key] } }))).toBe(
    'not_found',
  );
  expect(await keys()).toEqual([picture.key]);
  await cora.client.call(removeReceived, { params: { ...params, key: picture.key } });
  expect([await keys(), await keysIn(cora)]).toEqual([[], [[picture.key]]]);
  expect(await code(cora.client.call(removeReceived, { params: { ...params, key: picture.key } }))).toBe('not_found');
});

type InAlbum = Awaited<ReturnType<typeof receivedInAlbum>>;
it.each<[string, (given: InAlbum) => Promise<unknown>, number]>([
  ['its sender takes it back', ({ bea, sent }) => bea.client.call(removeSent, { params: { id: sent.id } }), 0],
  ['it is removed from the list', ({ cora, sent }) => cora.client.call(removeSent, { params: { id: sent.id } }), 0],
  ['it goes to the trash', ({ bea, picture }) => bea.client.call(trashImage, { params: { key: picture.key } }), 1],
  ['its sender is disabled', ({ bea }) => admin.client.call(changeUser, { params: { id: bea.id }, body: { disabled: true } }), 0],
  ['it gets a view limit', ({ bea, picture }) => bea.client.call(updateImage, { params: { key: picture.key }, body: { max_views: 3 } }), 1],
])('leaves the album at once when %s', async (_what, change, left) => {
  const given = await receivedInAlbum();
  expect(await given.keys()).toEqual([given.picture.key]);
  await change(given);
  expect(await given.keys()).toEqual([]);
  const rows = await withDatabase(service, ({ read }) =>
    read.selectFrom('album_received').selectAll().where('album_id', '=', given.params.id).execute(),
  );
  expect(rows.length).toBe(left);
});

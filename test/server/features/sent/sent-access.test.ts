import { describe, expect, it } from 'vitest';
import { API_PREFIX } from '#api/constants.ts';
import { listSent, removeSent, send } from '#api/sent.ts';
import { openEvents } from '#test/helpers/network/event-stream.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner: admin } = await startFileService();
const [sender, recipient, former, other] = [
  await addUser(service, 'sender'),
  await addUser(service, 'recipient'),
  await addUser(service, 'former'),
  await addUser(service, 'other'),
];
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const CALLERS = {
  anonymous: {},
  sender: { cookie: sender.cookie },
  recipient: { cookie: recipient.cookie },
  'recipient’s full token': bearer(await recipient.token('full')),
  'recipient’s device token': bearer(await recipient.token('device')),
  'recipient’s upload token': bearer(await recipient.token('upload')),
  'former recipient': { cookie: former.cookie },
  'former recipient’s device token': bearer(await former.token('device')),
  'sender’s device token': bearer(await sender.token('device')),
  'another user': { cookie: other.cookie },
  'another user’s device token': bearer(await other.token('device')),
  admin: { cookie: admin.cookie },
};
type Caller = keyof typeof CALLERS;

let seed = 0;
async function newSending(fields: Record<string, string> = {}) {
  const image = await uploadImage(service, await sender.token('full'), tinyPng(++seed), { visibility: 'private', ...fields });
  const to = [{ username: 'recipient' }, { username: 'former' }];
  const { id } = await sender.client.call(send, { body: { keys: [image.key], to } });
  await former.client.call(removeSent, { params: { id } });
  return { ...image, id };
}

const status = async (caller: Caller, path: string, method = 'GET') =>
  (await fetch(service.url + path, { method, redirect: 'manual', headers: CALLERS[caller] })).status;

/** What each caller gets of a private picture that was sent: its original, its share metadata, a thumbnail, its text; and of what was sent. */
const EXPECTED: Record<Caller, { opens: number; preview: number; text: number; in: number; out: number; seen: number; removes: number }> = {
  anonymous: { opens: 404, preview: 404, text: 401, in: 401, out: 401, seen: 401, removes: 401 },
  sender: { opens: 200, preview: 200, text: 200, in: 200, out: 200, seen: 404, removes: 200 },
  recipient: { opens: 200, preview: 200, text: 200, in: 200, out: 200, seen: 200, removes: 200 },
  'recipient’s full token': { opens: 200, preview: 200, text: 200, in: 200, out: 200, seen: 200, removes: 200 },
  'recipient’s device token': { opens: 404, preview: 200, text: 403, in: 200, out: 403, seen: 403, removes: 403 },
  'recipient’s upload token': { opens: 404, preview: 404, text: 403, in: 403, out: 403, seen: 403, removes: 403 },
  'former recipient': { opens: 404, preview: 404, text: 404, in: 200, out: 200, seen: 404, removes: 404 },
  'former recipient’s device token': { opens: 404, preview: 404, text: 403, in: 200, out: 403, seen: 403, removes: 403 },
  'sender’s device token': { opens: 404, preview: 404, text: 403, in: 200, out: 403, seen: 403, removes: 403 },
  'another user': { opens: 404, preview: 404, text: 404, in: 200, out: 200, seen: 404, removes: 404 },
  'another user’s device token': { opens: 404, preview: 404, text: 403, in: 200, out: 403, seen: 403, removes: 403 },
  admin: { opens: 200, preview: 200, text: 404, in: 200, out: 200, seen: 404, removes: 404 },
};

it.each(Object.keys(CALLERS) as Caller[])('gives %s what they may see and do', async (caller) => {
  const { id, key, ext } = await newSending();
  const list = `${API_PREFIX}/sent?box=`;
  const [original, share] = [await status(caller, `/i/${key}.${ext}`), await status(caller, `${API_PREFIX}/s/${key}`)];
  expect(share).toBe(original);
  expect({
    opens: original,
    preview: await status(caller, `/t/${key}.jpg`),
    text: await status(caller, `${API_PREFIX}/images/${key}/text`),
    in: await status(caller, `${list}in`),
    out: await status(caller, `${list}out`),
    seen: await status(caller, `${API_PREFIX}/sent/${id}/seen`, 'POST'),
    removes: await status(caller, `${API_PREFIX}/sent/${id}`, 'DELETE'),
  }).toEqual(EXPECTED[caller]);
  expect([await status('recipient', `/i/${key}.${ext}`), await status('former recipient', `/i/${key}.${ext}`)]).toEqual([
    EXPECTED[caller].removes === 200 ? 404 : 200,
    404,
  ]);
});

describe('a token of a device', () => {
  const device = CALLERS['recipient’s device token'];

  it('uploads like an upload token, lists what was sent, and does nothing else', async () => {
    const { key } = await newSending();
    const { items } = await (await fetch(`${service.url}${API_PREFIX}/sent?box=in`, { headers: device })).json().then(({ data }) => data);
    expect(items[0]).toMatchObject({ sender: { username: 'sender' }, items: [{ key }] });
    const uploaded = await uploadImage(service, device.authorization.slice(7), tinyPng(++seed));
    expect(await status('recipient’s device token', `${API_PREFIX}/user/limits`)).toBe(200);
    const refusal = await fetch(`${service.url}${API_PREFIX}/images/${uploaded.key}`, { headers: device });
    expect([refusal.status, (await refusal.json()).message]).toEqual([403, expect.stringContaining('show what is sent to its user')]);
  });

  it('gets no thumbnail that its user doesn’t: with a password, a view limit, of an album', async () => {
    for (const [fields, expected] of [
      [{ access_password: 'sesame' }, 401],
      [{ max_views: '3' }, 403],
    ] as const) {
      const { key } = await newSending(fields);
      expect(await status('recipient’s device token', `/t/${key}.jpg`)).toBe(expected);
    }
    const own = await uploadImage(service, await recipient.token('full'), tinyPng(++seed), { visibility: 'private' });
    expect(await status('recipient’s device token', `/t/${own.key}.jpg`)).toBe(404);
  });

  it('is told of what is sent to its user, and of nothing else', async () => {
    const stream = await openEvents(service, device);
    await expect.poll(() => stream.events.length).toBe(1);
    await uploadImage(service, await recipient.token('full'), tinyPng(++seed));
    const { id } = await newSending();
    await recipient.client.call(listSent, { query: { box: 'in' } });
    await fetch(`${service.url}${API_PREFIX}/sent/${id}/seen`, { method: 'POST', headers: { cookie: recipient.cookie } });
    const last = await newSending();
    await expect.poll(() => stream.told()['sent.received']?.includes(last.id)).toBe(true);
    expect(stream.told()).toEqual({ 'sent.received': [id, last.id] });
  });
});

import { describe, expect, it } from 'vitest';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { getImage, listImages } from '#api/images/images.ts';
import { uploadUrl } from '#api/images/upload.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { type SignedIn, uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const mia = await addUser(service, 'mia');
const token = await mia.token('upload');
const HOUR = 3600;
const NEXT_YEAR = new Date().getUTCFullYear() + 1;
const TAKEN = Date.parse('2019-05-14T18:30:00Z');

const add = (count: number, columns: (index: number) => object = () => ({ taken_at: TAKEN })) =>
  withDatabase(service, (db) => addImageRows(db, mia.id, count, columns));
const change = (key: string, taken_at: unknown, who: SignedIn = mia) =>
  who.client.call(updateImage, { params: { key }, body: { taken_at } as never });
const batch = (body: object, who: SignedIn = mia) => who.client.call(batchImages, { body: { action: 'date', ...body } as never });
const undo = (undo: string | undefined, who: SignedIn = mia) => batch({ action: 'undo', undo }, who);
const dateOf = async (key: string) => (await mia.client.call(getImage, { params: { key } })).taken_at;
const datesOf = (keys: readonly string[]) => Promise.all(keys.map(dateOf));
const found = async (query: object) => (await mia.client.call(listImages, { query: { limit: 200, ...query } })).items.map(({ key }) => key);

/** With those that would need a fifth digit, or have no sign of it. */
const IMPLAUSIBLE = [
  '0001-01-01T00:00:00Z',
  '1825-12-31T23:59:59Z',
  '1826-01-01T00:30:00+01:00',
  `${NEXT_YEAR + 1}-01-01T00:00:00Z`,
  `${NEXT_YEAR}-12-31T23:30:00-01:00`,
  '9999-12-31T23:59:59-14:00',
];
const UNREADABLE = ['', 'yesterday', '2019-05-14', '2019-05-14T18:30:00', '2019-02-30T00:00:00Z', '+010000-01-01T00:00:00Z', 0, null];

describe('the date of a picture', () => {
  it('can be corrected, with any offset, and leads to it from then on', async () => {
    const [key, other] = (await add(2)) as [string, string];
    expect(await change(key, '2007-08-01T00:30:00+02:00')).toMatchObject({ key, taken_at: '2007-07-31T22:30:00.000Z' });
    expect(await dateOf(key)).toBe('2007-07-31T22:30:00.000Z');
    expect(await found({ q: 'July 2007', date: 'taken' })).toEqual([key]);
    expect(await found({ taken: '2007-07' })).toEqual([key]);
    expect(await found({ q: 'May 2019', date: 'taken' })).toEqual([other]);
    expect((await found({ sort: 'taken_asc' }))[0]).toBe(key);
    // Other changes leave it.
    await mia.client.call(updateImage, { params: { key }, body: { title: 'Harbour' } });
    expect(await dateOf(key)).toBe('2007-07-31T22:30:00.000Z');
  });

  it.each(['1826-01-01T00:00:00Z', '1970-01-01T00:00:00Z', `${NEXT_YEAR}-12-31T23:59:59.999Z`])('can be %s', async (time) => {
    const [key] = (await add(1)) as [string];
    expect(await change(key, time)).toMatchObject({ taken_at: new Date(time).toISOString() });
    expect((await batch({ keys: [key], taken_at: time })).results).toEqual([{ key, ok: true }]);
    expect(await uploadImage(service, token, await photoJpeg({ seed: time.length }), { taken_at: time })).toBeDefined();
  });

  it.each([...IMPLAUSIBLE, ...UNREADABLE])('can’t be %j', async (time) => {
    const [key] = (await add(1)) as [string];
    const refusal = { status: 400, code: 'invalid_request', details: { field: 'taken_at' } };
    await expect(change(key, time)).rejects.toMatchObject(refusal);
    await expect(batch({ keys: [key], taken_at: time })).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
    expect(await dateOf(key)).toBe(new Date(TAKEN).toISOString());
  });

  it.each(IMPLAUSIBLE)('can’t be %j in an upload', async (taken_at) => {
    const refusal = { status: 400, code: 'invalid_request', details: { field: 'taken_at' } };
    await expect(uploadImage(service, token, await photoJpeg(), { taken_at })).rejects.toMatchObject(refusal);
    await expect(
      mia.client.call(uploadUrl, { query: {}, body: { url: 'https://pictures.example/a.jpg', taken_at } }),
    ).rejects.toMatchObject(refusal);
  });

  it('is changed by nobody else', async () => {
    const [key] = (await add(1)) as [string];
    await expect(change(key, '2007-08-01T00:00:00Z', owner)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    for (const body of [{ taken_at: '2007-08-01T00:00:00Z' }, { shift_seconds: HOUR }])
      expect(await batch({ keys: [key], ...body }, owner)).toMatchObject({
        processed: 0,
        results: [{ key, ok: false, code: 'not_found' }],
      });
    const send = (method: string, path: string, headers: Record<string, string>) =>
      fetch(`${service.url}/api/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ action: 'date', keys: [key], taken_at: '2007-08-01T00:00:00Z' }),
      });
    for (const [method, path] of [
      ['PATCH', `/images/${key}`],
      ['POST', '/images/batch'],
    ] as const) {
      expect((await send(method, path, {})).status).toBe(401);
      expect((await send(method, path, { authorization: `Bearer ${token}` })).status).toBe(403);
      expect((await send(method, path, { cookie: mia.cookie, origin: 'https://elsewhere.example' })).status).toBe(403);
    }
    expect(await dateOf(key)).toBe(new Date(TAKEN).toISOString());
  });
});

describe('the dates of several pictures', () => {
  it('are set, and each gets its own back', async () => {
    const keys = await add(3, (index) => ({ taken_at: TAKEN + index * 1000 }));
    const before = await datesOf(keys);
    const set = await batch({ keys, taken_at: '2001-02-03T04:05:06Z' });
    expect(set).toMatchObject({ processed: 3, failed: 0, undo: expect.any(String) });
    expect(new Set(await datesOf(keys))).toEqual(new Set(['2001-02-03T04:05:06.000Z']));
    await expect(undo(set.undo, owner)).rejects.toMatchObject({ code: 'not_found' });
    // One that has been corrected since stays so.
    await change(keys[1] as string, '1999-01-01T00:00:00Z');
    expect(await undo(set.undo)).toEqual({ results: [], processed: 2, failed: 1 });
    expect(await datesOf(keys)).toEqual([before[0], '1999-01-01T00:00:00.000Z', before[2]]);
    await expect(undo(set.undo)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([HOUR, -HOUR, 90, -8 * HOUR, -20 * 365.25 * 24 * HOUR, -60 * 365 * 24 * HOUR])(
    'are shifted by %d seconds, each from its own',
    async (shift_seconds) => {
      const keys = await add(3, (index) => ({ taken_at: TAKEN - index * 86_400_123 }));
      const before = await datesOf(keys);
      const shifted = await batch({ keys, shift_seconds });
      expect(shifted).toMatchObject({ processed: 3, undo: expect.any(String) });
      const expected = before.map((date) => new Date(Date.parse(date) + shift_seconds * 1000).toISOString());
      expect(await datesOf(keys)).toEqual(expected);
      expect(await undo(shifted.undo)).toMatchObject({ processed: 3, failed: 0 });
      expect(await datesOf(keys)).toEqual(before);
    },
  );

  it('are shifted once each for a query, however it sorts or selects them', async () => {
    // More than two chunks of writing, which the shift takes out of the query and moves within its order.
    const keys = await add(450, (index) => ({ taken_at: TAKEN + index * 1000, name: 'clock.jpg', tags: '["clock"]' }));
    const before = await datesOf(keys.slice(0, 3));
    const query = { q: 'clock', taken: '2019-05' };
    const shifted = await batch({ query, except_keys: [keys[1]], shift_seconds: -40 * 24 * HOUR });
    expect(shifted).toMatchObject({ processed: 449, failed: 0, undo: expect.any(String) });
    const after = before.map((date, index) => (index === 1 ? date : new Date(Date.parse(date) - 40 * 86_400_000).toISOString()));
    expect(await datesOf(keys.slice(0, 3))).toEqual(after);
    expect((await found({ tag: 'clock', taken: '2019-05' })).length).toBe(1);
    expect(await undo(shifted.undo)).toMatchObject({ processed: 449, failed: 0 });
    expect(await datesOf(keys.slice(0, 3))).toEqual(before);
  });

  it('all stay if one of them would leave the years of pictures', async () => {
    const [old, ...others] = (await add(450, (index) => ({
      taken_at: index === 0 ? Date.parse('1826-06-01T00:00:00Z') : TAKEN,
      tags: '["years"]',
    }))) as [string, ...string[]];
    const keys = [others[7], old, others[8]] as string[];
    const refusal = { status: 400, code: 'invalid_request', details: { field: 'shift_seconds' } };
    for (const target of [{ keys }, { query: { tag: 'years' } }])
      for (const shift_seconds of [-366 * 24 * HOUR, 300 * 366 * 24 * HOUR, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
        await expect(batch({ ...target, shift_seconds })).rejects.toMatchObject(refusal);
    expect(await datesOf(keys)).toEqual([TAKEN, Date.parse('1826-06-01T00:00:00Z'), TAKEN].map((time) => new Date(time).toISOString()));
    expect((await found({ tag: 'years', taken: '2019-05' })).length).toBe(200);
    // Without it, the others can be.
    const shifted = await batch({ query: { tag: 'years' }, except_keys: [old], shift_seconds: -366 * 24 * HOUR });
    expect(shifted).toMatchObject({ processed: 449, failed: 0 });
  });

  it('need either a date or a shift', async () => {
    const keys = await add(1);
    for (const body of [{}, { taken_at: '2019-05-14T18:30:00Z', shift_seconds: 1 }])
      await expect(batch({ keys, ...body })).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'taken_at' } });
    for (const shift_seconds of [1.5, '1', null, 2 ** 60])
      await expect(batch({ keys, shift_seconds })).rejects.toMatchObject({ code: 'invalid_request' });
    for (const body of [{ shift_seconds: 0 }, { taken_at: '2019-05-14T20:30:00+02:00' }]) {
      const outcome = await batch({ keys, ...body });
      expect(outcome).toMatchObject({ processed: 1, failed: 0 });
      expect(outcome.undo).toBeUndefined();
    }
  });

  it('don’t change in the trash', async () => {
    const keys = await add(2);
    await batch({ action: 'trash', keys: [keys[0]] });
    expect((await batch({ keys, shift_seconds: HOUR })).results).toEqual([
      { key: keys[0], ok: false, code: 'not_found' },
      { key: keys[1], ok: true },
    ]);
    await batch({ action: 'restore', keys: [keys[0]] });
    expect(await dateOf(keys[0] as string)).toBe(new Date(TAKEN).toISOString());
  });
});

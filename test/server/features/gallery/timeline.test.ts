import { describe, expect, it } from 'vitest';
import { updateImage } from '#api/images/changes.ts';
import { IMAGE_SORTS, type Image, listImages } from '#api/images/images.ts';
import { getTimeline, listPlaceholders } from '#api/images/timeline.ts';
import { ratioOf, toShape } from '#api/shapes.ts';
import { localDays } from '#server/features/gallery/timeline.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 27, 9);
const AMOUNT = 230;

const { service, owner } = await startFileService();
const other = await addUser(service, 'bert');
await withDatabase(service, async (db) => {
  // Equal times on purpose; the change to summer time and the end of a month are inside.
  await addImageRows(db, 1, AMOUNT, (index) => ({
    name: `${index % 3 ? 'sea' : 'hill'} ${index}.jpg`,
    created_at: START + Math.floor(index / 4) * 3 * HOUR,
    taken_at: START - Math.floor(index / 7) * 20 * HOUR,
    size: 1000 + (index % 9),
    width: 100 + (index % 50) * 10,
    height: 300,
    favourite: index % 2 ? 1 : 0,
    tags: index % 5 ? '[]' : '["trip"]',
    thumbhash: index % 10 ? `hash${index}` : null,
  }));
  await addImageRows(db, 1, 3, () => ({ deleted_at: START, created_at: START }));
  await addImageRows(db, 1, 3, () => ({ expires_at: START, created_at: START }));
  await addImageRows(db, other.id, 2, () => ({ created_at: START }));
});

type Query = { [name: string]: unknown };
const read = (query: Query = {}, who = owner) => who.client.call(getTimeline, { query: query as never });
const list = (query: Query, who = owner) => who.client.call(listImages, { query: { limit: 200, ...query } as never });
const placeholders = (query: Query, who = owner) => who.client.call(listPlaceholders, { query: query as never });

/** All images of a list, read through the cursors of its timeline. */
async function throughCursors(query: Query): Promise<Image[]> {
  const { cursors } = await read(query);
  const pages = await Promise.all(
    [...cursors, undefined].map((until, index) => list({ ...query, cursor: cursors[index - 1], until, limit: 101 })),
  );
  for (const page of pages.slice(0, -1)) expect(page.items).toHaveLength(100);
  for (const page of pages) expect(page.next_cursor).toBeNull();
  return pages.flatMap(({ items }) => items);
}

async function whole(query: Query): Promise<Image[]> {
  const first = await list(query);
  return first.next_cursor ? [...first.items, ...(await list({ ...query, cursor: first.next_cursor })).items] : first.items;
}

describe('the timeline', () => {
  it('follows the date that `by` names, unless a sort is given', async () => {
    const [taken, uploaded] = await Promise.all([read({ sort: 'taken_desc' }), read({ sort: 'uploaded_desc' })]);
    expect(taken.months).not.toEqual(uploaded.months);
    expect(await read({ by: 'taken' })).toEqual(taken);
    expect(await read({ by: 'uploaded' })).toEqual(uploaded);
    expect(await read({ by: 'taken', sort: 'uploaded_desc' })).toEqual(uploaded);
    await expect(read({ by: 'name' })).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'by' } });
  });

  it.each(IMAGE_SORTS)('has the shape of every picture in the order of the list, sorted by %s', async (sort) => {
    const images = await whole({ sort });
    const { count, page_size, months } = await read({ sort });
    expect([count, page_size]).toEqual([AMOUNT, 100]);
    const shapes = months.flatMap((month) => [...Buffer.from(month.shapes, 'base64')]);
    expect(shapes).toEqual(images.map(({ width, height }) => toShape(width, height)));
    expect(months.map((month) => month.count).reduce((sum, each) => sum + each)).toBe(AMOUNT);
  });

  it.each(IMAGE_SORTS)('leads to every page of the list by its cursors, sorted by %s', async (sort) => {
    expect((await throughCursors({ sort })).map(({ key }) => key)).toEqual((await whole({ sort })).map(({ key }) => key));
  });

  it.each([
    ['UTC', 0],
    ['Asia/Shanghai', 8 * HOUR],
  ])('counts the days of %s', async (time_zone, offset) => {
    const images = await whole({});
    const { months } = await read({ time_zone });
    const days = months.flatMap(({ month, days }) => days.flatMap(([day, n]) => Array(n).fill(`${month}-${`${day}`.padStart(2, '0')}`)));
    expect(days).toEqual(images.map(({ created_at }) => new Date(Date.parse(created_at) + offset).toISOString().slice(0, 10)));
    for (const { count, days } of months) expect(days.reduce((sum, [, n]) => sum + n, 0)).toBe(count);
  });

  it('has no months where the list has no dates', async () => {
    for (const sort of ['name_asc', 'size_desc'])
      expect((await read({ sort })).months).toMatchObject([{ month: null, count: AMOUNT, days: [] }]);
  });

  it.each([
    { q: 'sea' },
    { tag: 'trip' },
    { favourite: 'true' },
    { visibility: 'private' },
    { from: '2026-03-29', to: '2026-03-30' },
    { type: 'png' },
  ])('honours the filters of the list: %o', async (filter) => {
    const images = await whole(filter);
    const { count, months } = await read(filter);
    expect(count).toBe(images.length);
    expect(months.flatMap((month) => [...Buffer.from(month.shapes, 'base64')])).toHaveLength(images.length);
  });

  it('is empty for an album of another user', async () => {
    expect(await read({ album_id: 'AAAAAAAAAA' })).toEqual({ count: 0, page_size: 100, cursors: [], months: [], similar: [] });
  });

  it('rejects an unknown time zone and a malformed end', async () => {
    await expect(read({ time_zone: 'Mars/Olympus' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(list({ until: 'x' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('needs no second response until a picture changes', async () => {
    const get = (etag: string) =>
      fetch(`${service.url}/api/v1/images/timeline`, { headers: { cookie: owner.cookie, 'if-none-match': etag } });
    const tag = (await get('')).headers.get('etag') as string;
    const again = await get(tag);
    expect([again.status, again.headers.get('cache-control'), await again.text()]).toEqual([304, 'private, no-cache', '']);
    const [image] = (await list({ limit: 1 })).items;
    await owner.client.call(updateImage, { params: { key: image?.key as string }, body: { favourite: true } });
    expect((await get(tag)).status).toBe(200);
  });

  it('is sent again after a restart, unless the database’s versions never repeat', async () => {
    const get = (etag: string) =>
      fetch(`${service.url}/api/v1/images/timeline`, { headers: { cookie: owner.cookie, 'if-none-match': etag } });
    const tag = (await get('')).headers.get('etag') as string;
    expect((await get(tag)).status).toBe(304);
    await service.restart();
    expect((await get(tag)).status).toBe(onPostgres ? 304 : 200);
  });
});

describe('the placeholders', () => {
  it('are those of the listed pictures, in their order', async () => {
    const images = await whole({});
    expect((await placeholders({})).items).toEqual(images.map(({ thumbhash }) => thumbhash));
    const { cursors } = await read();
    const second = await placeholders({ cursor: cursors[0], until: cursors[1] });
    expect(second).toEqual({ items: images.slice(100, 200).map(({ thumbhash }) => thumbhash), next_cursor: null });
  });

  it('are paged', async () => {
    const first = await placeholders({ limit: 50 });
    expect(first.items).toHaveLength(50);
    const next = await placeholders({ limit: 200, cursor: first.next_cursor });
    expect([...first.items, ...next.items]).toEqual((await whole({})).map(({ thumbhash }) => thumbhash));
  });
});

describe('access', () => {
  it('shows users only their own pictures', async () => {
    expect((await read({}, other)).count).toBe(2);
    expect((await placeholders({}, other)).items).toEqual([null, null]);
    const { cursors } = await read();
    expect((await placeholders({ until: cursors[1] }, other)).items.length).toBeLessThanOrEqual(2);
  });

  it.each(['timeline', 'placeholders'])('requires %s to be read by a user', async (path) => {
    expect((await fetch(`${service.url}/api/v1/images/${path}`)).status).toBe(401);
    const scope = (name: 'upload' | 'full') => owner.token(name);
    const as = async (name: 'upload' | 'full') =>
      (await fetch(`${service.url}/api/v1/images/${path}`, { headers: { authorization: `Bearer ${await scope(name)}` } })).status;
    expect([await as('upload'), await as('full')]).toEqual([403, 200]);
  });

  it('never confirms another user’s copy of a response', async () => {
    const tags = await Promise.all(
      [owner, other].map(async ({ cookie }) => {
        const response = await fetch(`${service.url}/api/v1/images/timeline`, { headers: { cookie } });
        return response.headers.get('etag');
      }),
    );
    expect(tags[0]).not.toBe(tags[1]);
  });
});

describe('shapes', () => {
  it('are exact to half a percent', () => {
    for (const [width, height] of [
      [3000, 2000],
      [1080, 2400],
      [1, 1],
      [4032, 3024],
      [640, 361],
    ] as const)
      expect(Math.abs(ratioOf(toShape(width, height)) / (width / height) - 1)).toBeLessThan(0.006);
    expect([toShape(0, 0), toShape(10_000, 1), toShape(1, 10_000)]).toEqual([128, 255, 0]);
  });
});

describe('local days', () => {
  it('change at midnight in the time zone, even on the days when clocks change', () => {
    const zone = 'Europe/Berlin';
    const dayOf = localDays(zone);
    const format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' });
    for (const start of [Date.UTC(2026, 2, 28), Date.UTC(2026, 9, 24), Date.UTC(1969, 11, 30)])
      for (let instant = start; instant < start + 72 * HOUR; instant += HOUR / 4) {
        const { month, day } = dayOf(instant);
        expect(`${month}-${`${day}`.padStart(2, '0')}`).toBe(format.format(instant));
      }
  });
});

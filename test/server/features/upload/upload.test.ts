import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { ApiError } from '#api/client.ts';
import { updateImage } from '#api/images/changes.ts';
import { getImage } from '#api/images/images.ts';
import { uploadUrl } from '#api/images/upload.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { photoJpeg, png, withSwappedComponents } from '#test/helpers/pictures/images.ts';
import { withChunk } from '#test/helpers/pictures/private-metadata.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const [token, full] = [await owner.token('upload'), await owner.token('full')];

const photo = (color: string, width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .jpeg()
    .toBuffer();

it('stores a picture and serves its pixels behind a direct link', async () => {
  const bytes = await photo('teal');
  const image = await uploadImage(service, token, bytes, {}, 'Küche 厨房.jpg');
  expect(image).toMatchObject({
    name: 'Küche 厨房.jpg',
    ext: 'jpg',
    mime: 'image/jpeg',
    width: 300,
    height: 200,
    visibility: 'public',
    reused: false,
    has_password: false,
  });
  expect(image.links.url).toBe(`${service.url}/i/${image.key}.jpg`);
  const served = await fetch(image.links.url);
  expect(served.status).toBe(200);
  expect(served.headers.get('content-type')).toBe('image/jpeg');
  const body = Buffer.from(await served.arrayBuffer());
  expect(body.length).toBe(image.size);
  expect((await sharp(body).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true);
});

it('makes thumbnails of the listed widths and refuses all others', async () => {
  const image = await uploadImage(service, token, await photo('red', 1000, 500));
  const thumbnail = await fetch(`${image.links.thumbnail_url}?w=400`);
  expect(thumbnail.headers.get('content-type')).toBe('image/jpeg');
  expect(await sharp(Buffer.from(await thumbnail.arrayBuffer())).metadata()).toMatchObject({ format: 'jpeg', width: 400, height: 200 });
  for (const query of ['w=401', 'w=', 'w=400&w=400', 'w=0400', 'w=4e2']) {
    const refused = await fetch(`${image.links.thumbnail_url}?${query}`);
    expect([query, refused.status, (await refused.json()).data.code]).toEqual([query, 400, 'invalid_width']);
  }
  expect((await fetch(`${service.url}/t/AAAAAAAAAAAA.jpg?w=401`)).status).toBe(400);
  expect((await fetch(`${service.url}/t/AAAAAAAAAAAA.jpg?w=400`)).status).toBe(404);
});

it('returns the existing picture for a repeat by the same owner', async () => {
  const bytes = await photo('blue');
  const first = await uploadImage(service, token, bytes);
  const again = await uploadImage(service, full, bytes, {}, 'other.jpg');
  expect(again).toMatchObject({ key: first.key, name: first.name, reused: true });
  const secret = await uploadImage(service, token, bytes, { visibility: 'private' });
  expect(secret).toMatchObject({ reused: false, visibility: 'private', sha256: first.sha256 });
});

it('tags a picture, and adds the tags of a repeat to the existing one', async () => {
  const bytes = await photo('olive');
  const upload = (fields = {}) => uploadImage(service, full, bytes, fields);
  const first = await uploadImage(service, token, bytes, { tags: ' sea, Holiday,,sea ' });
  expect(first.tags).toEqual(['sea', 'Holiday']);
  expect(await upload({ tags: 'holiday,2026' })).toMatchObject({
    key: first.key,
    reused: true,
    tags: ['sea', 'Holiday', '2026'],
  });
  expect(await upload()).toMatchObject({ key: first.key, tags: ['sea', 'Holiday', '2026'] });
  const many = Array.from({ length: 50 }, (_, index) => `t${index}`).join();
  await expect(upload({ tags: many })).rejects.toMatchObject({ details: { field: 'tags' } });
  await expect(upload({ tags: `${many},one more` })).rejects.toMatchObject({ details: { field: 'tags' } });
});

describe('a token that may only upload', () => {
  /** A picture of the token's user that says more than the token may know. */
  async function secretImage(bytes: Buffer, slug: string) {
    const { key } = await uploadImage(service, full, bytes, { visibility: 'private' }, 'secret project.jpg');
    const body = { name: 'Merger plan', title: 'Confidential', alt: 'Two logos', tags: ['merger'], favourite: true, slug };
    return owner.client.call(updateImage, { params: { key }, body });
  }

  it('learns nothing about a picture that exists', async () => {
    const bytes = await photo('maroon');
    const first = await secretImage(bytes, 'merger-plan');
    const again = await uploadImage(service, token, bytes, { visibility: 'private' }, 'x.jpg');
    const at = (place: string) => `${service.url}/${place}/${first.key}`;
    const url = `${at('i')}.jpg`;
    const written = { url, markdown: `![x.jpg](${url})`, html: `<img src="${url}" alt="x.jpg">`, bbcode: `[img]${url}[/img]` };
    expect(again).toEqual({
      key: first.key,
      reused: true,
      links: { ...written, thumbnail_url: `${at('t')}.jpg`, share_url: at('s') },
    });
  });

  it('gets a picture of its own for guesses at texts and tags', async () => {
    const bytes = await photo('indigo');
    await secretImage(bytes, 'merger-guess');
    for (const guess of [{ tags: 'merger' }, { title: 'Confidential' }, { alt: '', caption: 'x' }] as Record<string, string>[])
      expect(await uploadImage(service, token, bytes, { visibility: 'private', ...guess })).toMatchObject({ reused: false, slug: null });
  });

  it('changes nothing about a picture that exists', async () => {
    const bytes = await photo('sienna');
    const before = await secretImage(bytes, 'merger-kept');
    await uploadImage(service, token, bytes, { visibility: 'private', title: 'Another', tags: 'other' }, 'x.jpg');
    await uploadImage(service, token, bytes, { visibility: 'private' }, 'x.jpg');
    const { thumbhash: _, ...unchanged } = before; // made by a job
    expect(await owner.client.call(getImage, { params: { key: before.key } })).toMatchObject(unchanged);
  });
});

it('lets an upload token delete what it uploaded, not what existed before', async () => {
  const bytes = await photo('purple');
  const first = await uploadImage(service, full, bytes);
  expect(first.links.delete_url).toBeDefined();
  expect((await uploadImage(service, token, bytes)).links.delete_url).toBeUndefined();
  expect((await uploadImage(service, full, bytes)).links.delete_url).toBe(first.links.delete_url);
  expect((await uploadImage(service, token, await photo('violet'))).links.delete_url).toBeDefined();
});

it('returns one picture for concurrent uploads of the same bytes', async () => {
  const bytes = await photo('orange');
  const responses = await Promise.all(Array.from({ length: 8 }, () => uploadImage(service, token, bytes)));
  expect(new Set(responses.map((image) => image.key)).size).toBe(1);
  expect(responses.filter((image) => !image.reused)).toHaveLength(1);
});

it.each([
  ['text', Buffer.from('this is no picture'), 415, 'ext_not_allowed', /^This file is damaged or isn’t in a supported format\. Allowed/],
  ['nothing', Buffer.alloc(0), 400, 'damaged_image', /^The file is empty/],
  ['a page', Buffer.from('<html><script>alert(1)</script></html>'), 415, 'ext_not_allowed', /damaged/],
])('refuses %s named .jpg, and says why', async (_name, bytes, status, code, message) => {
  const refusal = await uploadImage(service, token, bytes).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({ status, code, message: expect.stringMatching(message) });
});

it.each([
  ['a JPEG whose scan has its components in another order', async () => withSwappedComponents(await photoJpeg())],
  ['a progressive JPEG like that', async () => withSwappedComponents(await photoJpeg({ progressive: true }))],
  ['a PNG with an empty palette', async () => withChunk(await png(), 'PLTE')],
])('refuses %s, which nothing can show', async (_name, make) => {
  await expect(uploadImage(service, token, await make())).rejects.toMatchObject({ status: 400, code: 'damaged_image' });
});

it('refuses a form that arrives all at once and breaks off within its file', async () => {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=border',
    'transfer-encoding': 'chunked',
  };
  const sent = request(`${service.url}/api/v1/upload`, { method: 'POST', agent: false, headers });
  sent.end('--border\r\ncontent-disposition: form-data; name="file"; filename="a.svg"\r\n\r\n<svg></svg>\r\n');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(400);
  expect(await json(response)).toMatchObject({
    data: { code: 'invalid_request' },
    message: 'Part 1 of the form breaks off: the last boundary, “--border--”, is missing.',
  });
});

it('names a picture by URL as its server does, without folders and characters that deceive', async () => {
  const bytes = gzipSync(await photo('navy'));
  await using web = await startWebServer((_request, response) => {
    const name = `attachment; filename*=UTF-8''..%5C..%2Fharbour%E2%80%AE%0A%00.jpg`;
    response.writeHead(200, { 'content-disposition': name, 'content-encoding': 'gzip' }).end(bytes);
  });
  await owner.client.call(changeAdminSettings, { body: { fetch_allowed_hosts: [new URL(web.url).hostname] } });
  const image = await owner.client.call(uploadUrl, { query: {}, headers: {}, body: { url: `${web.url}/download?id=7` } });
  expect(image).toMatchObject({ name: 'harbour.jpg', ext: 'jpg', width: 300 });
});

it('accepts fields after the file and ignores unknown ones', async () => {
  const image = await uploadImage(service, token, await photo('green'), { ssl: 'true', permission: '0', expires_in: '' });
  expect(image).toMatchObject({ visibility: 'private', expires_at: null });
});

it('names an invalid field', async () => {
  const refusal = await uploadImage(service, token, await photo('pink'), { max_views: 'many' }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request', details: { field: 'max_views' } });
});

it('refuses guests and unknown tokens', async () => {
  const bytes = await photo('black');
  await expect(uploadImage(service, undefined, bytes)).rejects.toMatchObject({ status: 403, code: 'guest_disabled' });
  await expect(uploadImage(service, 'pxd_wrong', bytes)).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
});

it.each([
  ['album_id', 'no-album', 'album_not_found'],
  ['album_id', 'abcdefghij', 'album_not_found'],
  ['policy_id', '0', 'policy_not_allowed'],
  ['policy_id', '-1', 'policy_not_allowed'],
  ['policy_id', '999', 'policy_not_allowed'],
  ['strategy_id', '0', 'policy_not_allowed'],
  ['policy_id', 'first', 'invalid_request'],
])('refuses %s %s with %s', async (field, value, code) => {
  await expect(uploadImage(service, token, await photo('navy'), { [field]: value })).rejects.toMatchObject({ status: 400, code });
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { changeGroup, createGroup, listGroups } from '#api/admin/groups.ts';
import { createPolicy } from '#api/admin/policies.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { changeUser } from '#api/admin/users.ts';
import { createAlbum } from '#api/albums/albums.ts';
import { getLimits } from '#api/auth/user.ts';
import { CONVERSIONS, IDEMPOTENCY_HEADER } from '#api/constants.ts';
import { listImages } from '#api/images/images.ts';
import { type Uploaded, uploadUrl } from '#api/images/upload.ts';
import { processForeign, processNative, transparentTo } from '#server/features/upload/processing.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { blackPng } from '#test/helpers/pictures/bombs.ts';
import { animatedGif, animatedWebp, photoJpeg, png, tiff } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { askForPictures, trySending } from '#test/helpers/service/requests.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const bea = await addUser(service, 'bea');
const [full, uploadOnly, theirs] = [await owner.token('full'), await owner.token('upload'), await bea.token('full')];

let seed = 300;
const newPng = () => png({ width: 60, height: 40, seed: seed++ });
const send = (convert: string, bytes: Buffer, { token = full as string | undefined, fields = {}, key = '' } = {}) =>
  uploadImage(service, token, bytes, { convert, ...fields }, 'photo', key ? { [IDEMPOTENCY_HEADER]: key } : {});
const bytesOf = async ({ links }: Uploaded) => {
  const response = await fetch(links.url.replace(service.linkAddress, service.url));
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) };
};
/** The group of other users. */
const [group] = (await owner.client.call(listGroups, { query: {} })).items.filter(({ kind }) => kind === 'default');
const setGroup = (body: object, id = group?.id) => owner.client.call(changeGroup, { params: { id: String(id) } as never, body });

describe('a conversion at upload', () => {
  it.each([
    ['webp', 'webp', 'image/webp', 'webp'],
    ['avif', 'avif', 'image/avif', 'heif'],
    ['jpeg', 'jpg', 'image/jpeg', 'jpeg'],
  ] as const)('to %s stores only the result', async (convert, ext, mime, format) => {
    const sent = await newPng();
    const image = await send(convert, sent);
    expect(image).toMatchObject({ ext, mime, width: 60, height: 40, reused: false });
    const { type, bytes } = await bytesOf(image);
    expect([type, (await sharp(bytes).metadata()).format, bytes.length]).toEqual([mime, format, image.size]);
    const stored = await withDatabase(service, ({ read }) => read.selectFrom('blobs').select('sha256').execute());
    expect(stored.map(({ sha256 }) => sha256)).toContain(image.sha256);
    expect(await readdir(join(service.dataDir, 'tmp'))).toEqual([]);
  });

  it('leaves a picture as it is that has the format, or where the original is wanted', async () => {
    const sent = await newPng();
    const [first, original] = [await send('png', sent), await send('original', sent)];
    for (const image of [first, original]) expect((await bytesOf(image)).bytes).toEqual(sent);
    expect((await send('', sent)).key).toBe(original.key);
  });

  it('applies to HEIC and TIFF', async () => {
    const heic = await readFile('test/fixtures/heic/arrow.heic');
    for (const [convert, ext] of [
      ['jpeg', 'jpg'],
      ['webp', 'webp'],
      ['avif', 'avif'],
      ['png', 'png'],
    ] as const)
      expect(await send(convert, heic)).toMatchObject({ ext });
    expect(await send('avif', await tiff({ width: 60, height: 40 }))).toMatchObject({ ext: 'avif', mime: 'image/avif' });
  });

  it('keeps the orientation and removes metadata', async () => {
    const image = await send('webp', await photoJpeg({ width: 60, height: 40, gps: true, orientation: 6 }));
    expect(image).toMatchObject({ ext: 'webp', width: 40, height: 60, animated: false });
    const { exif, orientation } = await sharp((await bytesOf(image)).bytes).metadata();
    expect([exif, orientation]).toEqual([undefined, undefined]);
  });

  it('keeps animations moving', async () => {
    const moving = await send('webp', await animatedGif({ frames: 4 }));
    expect(moving).toMatchObject({ ext: 'webp', mime: 'image/webp', width: 64, height: 48, animated: true });
    expect((await sharp((await bytesOf(moving)).bytes).metadata()).pages).toBe(4);
    for (const convert of ['jpeg', 'png', 'avif']) {
      for (const sent of [await animatedGif({ seed: seed++ }), await animatedWebp({ seed: seed++ })]) {
        const image = await send(convert, sent);
        expect((await sharp((await bytesOf(image)).bytes).metadata()).pages, convert).toBe(3);
        expect(['gif', 'webp']).toContain(image.ext);
      }
    }
  });

  it('leaves drawings as they are', async () => {
    const { items } = await owner.client.call(listGroups, { query: {} });
    const own = items.find(({ kind }) => kind === 'owner');
    await setGroup({ allowed_exts: [...(own?.allowed_exts ?? []), 'svg'] }, own?.id);
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="5" height="5"/></svg>');
    expect(await send('png', drawing)).toMatchObject({ ext: 'svg' });
  });

  it('refuses unknown formats', async () => {
    for (const convert of ['gif', 'jpg', 'heic', 'WEBP'])
      await expect(send(convert, await newPng())).rejects.toMatchObject({ status: 400, details: { field: 'convert' } });
  });

  it('to AVIF is limited to 40 megapixels, and leaves nothing behind beyond', async () => {
    const before = await withDatabase(service, ({ read }) => read.selectFrom('images').select('id').execute());
    await expect(send('avif', blackPng(8_001, 5_000))).rejects.toMatchObject({ status: 400, code: 'image_too_large' });
    expect(await withDatabase(service, ({ read }) => read.selectFrom('images').select('id').execute())).toEqual(before);
    expect(await readdir(join(service.dataDir, 'tmp'))).toEqual([]);
  });

  it('to AVIF succeeds for photos of ordinary cameras, of more memory than all pictures together may take', async () => {
    expect(await send('avif', await photoJpeg({ width: 4_032, height: 3_024, smooth: true }))).toMatchObject({ ext: 'avif', width: 4_032 });
  });
});

describe('another conversion', () => {
  it('is never a repeat; the same one is', async () => {
    const bytes = await newPng();
    const keys = new Map<string, string>();
    for (const convert of CONVERSIONS) {
      const image = await send(convert, bytes);
      expect(image.reused).toBe(false);
      keys.set(convert, image.key);
    }
    expect(new Set(keys.values()).size).toBe(CONVERSIONS.length);
    for (const convert of CONVERSIONS) expect(await send(convert, bytes)).toMatchObject({ reused: true, key: keys.get(convert) });
    expect(await send('webp', bytes, { token: uploadOnly })).toMatchObject({ reused: true, key: keys.get('webp') });
    expect(await send('webp', bytes, { token: theirs })).toMatchObject({ reused: false });
  });

  it('is another request for an idempotency key', async () => {
    const bytes = await newPng();
    const first = await send('webp', bytes, { key: 'converted' });
    expect(await send('webp', bytes, { key: 'converted' })).toMatchObject({ key: first.key, reused: true });
    for (const convert of ['avif', 'original', ''])
      await expect(send(convert, bytes, { key: 'converted' })).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('adds a repeat to albums, except with an upload token', async () => {
    const bytes = await newPng();
    const { id } = await owner.client.call(createAlbum, { body: { name: 'Converted' } });
    const first = await send('webp', bytes);
    const other = await send('webp', bytes, { token: uploadOnly, fields: { albums: id } });
    expect(other).toMatchObject({ reused: false, albums: [id] });
    expect(await send('webp', bytes, { fields: { albums: id } })).toMatchObject({ reused: true });
    expect(await send('avif', bytes, { fields: { albums: id } })).toMatchObject({ reused: false, albums: [id] });
    const { items } = await owner.client.call(listImages, { query: { album_id: id } });
    expect(items.map(({ key }) => key)).toContain(other.key);
    expect(items.map(({ ext }) => ext).toSorted()).toContain('avif');
    expect(first.albums).toEqual([]);
  });
});

describe('the group', () => {
  it('decides about conversions: by default, members can convert and guests can’t', async () => {
    const { items } = await owner.client.call(listGroups, { query: {} });
    expect(Object.fromEntries(items.map(({ kind, allow_convert }) => [kind, allow_convert]))).toMatchObject({
      owner: true,
      default: true,
      guest: false,
    });
    await owner.client.call(changeAdminSettings, { body: { guest_upload_enabled: true } });
    const asGuest = async (convert: string) => uploadImage(service, undefined, await newPng(), { convert });
    await expect(asGuest('webp')).rejects.toMatchObject({ status: 400, code: 'invalid_request', details: { field: 'convert' } });
    expect(await asGuest('original')).toMatchObject({ ext: 'png' });
    await setGroup({ allow_convert: true }, items.find(({ kind }) => kind === 'guest')?.id);
    expect(await asGuest('webp')).toMatchObject({ ext: 'webp' });
  });

  it('that doesn’t allow it refuses members, whose limits tell', async () => {
    expect(await bea.client.call(getLimits, {})).toMatchObject({ allow_convert: true });
    await setGroup({ allow_convert: false });
    expect(await bea.client.call(getLimits, {})).toMatchObject({ allow_convert: false });
    await expect(send('webp', await newPng(), { token: theirs })).rejects.toMatchObject({ status: 400, details: { field: 'convert' } });
    expect(await send('original', await newPng(), { token: theirs })).toMatchObject({ ext: 'png' });
    const made = await owner.client.call(createGroup, { body: { name: 'Like the default' } });
    expect(made.allow_convert).toBe(false);
    await setGroup({ allow_convert: true });
  });

  it('allows formats of what arrives and of what is made of it', async () => {
    await setGroup({ allowed_exts: ['png', 'jpg', 'jpeg'] });
    await expect(send('webp', await newPng(), { token: theirs })).rejects.toMatchObject({ status: 415, code: 'ext_not_allowed' });
    await expect(send('jpeg', await animatedWebp(), { token: theirs })).rejects.toMatchObject({ status: 415, code: 'ext_not_allowed' });
    expect(await send('jpeg', await newPng(), { token: theirs })).toMatchObject({ ext: 'jpg' });
    expect(await readdir(join(service.dataDir, 'tmp'))).toEqual([]);
    await setGroup({ allowed_exts: group?.allowed_exts ?? [] });
  });
});

it('a storage policy that converts takes precedence, and its size and quality apply to other conversions', async () => {
  const policy = async (name: string, rest: object) =>
    owner.client.call(createPolicy, { body: { name, folder: await temporaryFolder(), ...rest } as never });
  const converting = await policy('to WebP', { convert_to: 'webp' });
  const small = await policy('small', { max_side: 30 });
  await setGroup({ policy_ids: [...(group?.policy_ids ?? []), converting.id, small.id] });
  await owner.client.call(changeUser, { params: { id: String(bea.id) } as never, body: { group_id: group?.id as number } });
  const [bytes, into] = [await newPng(), (id: number) => ({ token: theirs, fields: { policy_id: String(id) } })];
  const first = await send('avif', bytes, into(converting.id));
  expect(first).toMatchObject({ ext: 'webp', reused: false });
  expect(await send('jpeg', bytes, into(converting.id))).toMatchObject({ key: first.key, reused: true });
  expect(await send('webp', bytes, into(small.id))).toMatchObject({ ext: 'webp', width: 30, height: 20 });
});

it('converts pictures by URL', async () => {
  const bytes = await newPng();
  await using web = await startWebServer((_request, response) => void response.end(bytes));
  await owner.client.call(changeAdminSettings, { body: { fetch_allowed_hosts: [new URL(web.url).hostname] } });
  const body = { url: `${web.url}/photo.png`, convert: 'avif' } as const;
  expect(await owner.client.call(uploadUrl, { query: {}, headers: {}, body })).toMatchObject({ ext: 'avif' });
});

it('isn’t for senders', async () => {
  const link = await askForPictures(owner);
  await trySending(service.url, link.id, await newPng(), { fields: { convert: 'webp' } });
  const { items } = await owner.client.call(listImages, { query: { album_id: link.album_id } });
  expect(items).toMatchObject([{ ext: 'png' }]);
});

it('follows a file through replacing and back', async () => {
  const bytes = await newPng();
  const image = await send('webp', bytes);
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'photo.png');
  const replaced = await owner.fetch(`/api/v1/images/${image.key}/file`, { method: 'PUT', body: form });
  expect(await replaced.json()).toMatchObject({ data: { ext: 'png' } });
  expect((await send('webp', bytes)).reused).toBe(false);
  expect(await send('', bytes)).toMatchObject({ key: image.key, reused: true });
});

const LEAVE = { convert_to: null, max_side: 0, heic_to: 'jpg' } as const;
const still = { width: 1000, height: 500, animated: false };
const moving = { ...still, animated: true };

it.each([
  ['keeps the bytes without rules', 'jpeg', still, LEAVE, { kind: 'strip' }],
  ['keeps the bytes of what is small enough', 'jpeg', still, { ...LEAVE, max_side: 1000 }, { kind: 'strip' }],
  ['makes a larger one smaller in its own format', 'avif', still, { ...LEAVE, max_side: 999 }, { kind: 'encode', to: 'avif' }],
  ['converts', 'png', still, { ...LEAVE, convert_to: 'webp' }, { kind: 'encode', to: 'webp' }],
  ['keeps what is in the wanted format already', 'webp', still, { ...LEAVE, convert_to: 'webp' }, { kind: 'strip' }],
  ['leaves an animation that the format cannot hold', 'gif', moving, { ...LEAVE, convert_to: 'jpg' }, { kind: 'strip' }],
  ['leaves an animation that cannot be encoded', 'png', moving, { ...LEAVE, max_side: 100 }, { kind: 'strip' }],
  ['converts an animation to another animation', 'gif', moving, { ...LEAVE, convert_to: 'webp' }, { kind: 'encode', to: 'webp' }],
] as const)('%s', (_name, format, found, policy, expected) => {
  expect(processNative(format, found, policy)).toEqual(expected);
});

it.each([
  ['heic', LEAVE, 'jpg'],
  ['heic', { ...LEAVE, heic_to: 'webp' }, 'webp'],
  ['heic', { ...LEAVE, convert_to: 'webp' }, 'webp'],
  ['heif', { ...LEAVE, convert_to: 'png' }, 'jpg'],
  ['bmp', LEAVE, 'png'],
  ['tiff', { ...LEAVE, convert_to: 'jpg' }, 'jpg'],
] as const)('makes of %s with %j a %s', (format, policy, expected) => {
  expect(processForeign(format, policy)).toBe(expected);
});

it.each([
  ['jpg', LEAVE, undefined, 'webp'],
  ['webp', { ...LEAVE, heic_to: 'webp' }, undefined, undefined],
  ['jpg', { ...LEAVE, convert_to: 'png' }, undefined, 'webp'],
  ['jpg', { ...LEAVE, convert_to: 'jpg' }, undefined, undefined],
  ['png', LEAVE, 'png', undefined],
  ['jpg', LEAVE, 'jpg', undefined],
] as const)('makes of a HEIC with transparency, instead of a %s with %j and %s, a %s', (to, policy, chosen, expected) => {
  expect(transparentTo(to, policy, chosen)).toBe(expected);
});

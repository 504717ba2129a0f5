import { readdirSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { changePolicy, createPolicy } from '#api/admin/policies.ts';
import { changePreferences } from '#api/auth/user.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { strippedJpeg } from '#test/helpers/pictures/metadata.ts';
import { jpegSegment, SECRET } from '#test/helpers/pictures/private-metadata.ts';
import { ultraHdr } from '#test/helpers/pictures/ultra-hdr.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const token = await owner.token('full');
const staged = () => readdirSync(join(service.dataDir, 'tmp'));

let photo: Buffer;
let progressive: Buffer;
let ultra: Buffer;
let number = 0;

/** A file of more than a megabyte, which isn't held in memory. */
const noise = (isProgressive: boolean) =>
  sharp({ create: { width: 1200, height: 1000, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    .withExif({ IFD0: { Copyright: 'Ann', Make: SECRET }, IFD2: { DateTimeOriginal: '2024:05:06 07:08:09', OffsetTimeOriginal: '+00:00' } })
    .jpeg({ quality: 97, progressive: isProgressive })
    .toBuffer();

beforeAll(async () => {
  [photo, progressive] = await Promise.all([noise(false), noise(true)]);
  ultra = await ultraHdr({ picture: photo });
  for (const { length } of [photo, progressive]) expect(length).toBeGreaterThan(1.1 * 1024 * 1024);
}, 60_000);

/** The same picture with other metadata: another file. */
const another = (file: Buffer) => insertedAt(file, 2, jpegSegment(0xfe, Buffer.from(`${SECRET} ${number++}`)));
const insertedAt = (file: Buffer, at: number, part: Buffer) => Buffer.concat([file.subarray(0, at), part, file.subarray(at)]);
const sendFile = (file: Buffer, fields: Record<string, string> = {}) => uploadImage(service, token, file, fields);

async function storedOf({ links, size }: Uploaded): Promise<Buffer> {
  const bytes = await contentOf(fetch(links.url.replace(service.linkAddress, service.url)));
  expect(bytes.length).toBe(size);
  return bytes;
}

describe('a JPEG of more than a megabyte', () => {
  it.each([
    ['with one scan', () => photo],
    ['with several scans', () => progressive],
    ['with a video after its end', () => Buffer.concat([photo, Buffer.from(`ftypmp42 ${SECRET}`.repeat(50_000))])],
    [
      'with metadata between its scans',
      () => insertedAt(progressive, progressive.lastIndexOf(Buffer.of(0xff, 0xda)), jpegSegment(0xfe, Buffer.from(SECRET))),
    ],
    ['with bytes after its end that look like another picture', () => Buffer.concat([photo, photo])],
    ['with a gain map', () => ultra],
  ])('is stored without metadata, as one in memory: %s', async (_, make) => {
    const file = another(make());
    const image = await sendFile(file);
    const stored = await storedOf(image);
    expect(stored.equals((await strippedJpeg(file)).stored)).toBe(true);
    expect(stored.includes(SECRET)).toBe(false);
    expect(image).toMatchObject({ mime: 'image/jpeg', width: 1200, height: 1000, taken_at: '2024-05-06T07:08:09.000Z', reused: false });
    expect(staged()).toEqual([]);
    expect(await sendFile(file)).toMatchObject({ key: image.key, reused: true });
    expect(staged()).toEqual([]);
  });

  it('is stored once, whatever its metadata', async () => {
    const [first, second] = [await sendFile(another(photo)), await sendFile(another(photo))];
    expect([second.reused, second.sha256]).toEqual([false, first.sha256]);
  });

  it('keeps the rights that its uploader wants to keep', async () => {
    await owner.client.call(changePreferences, { body: { keep_copyright: true } });
    const file = another(photo);
    const stored = await storedOf(await sendFile(file));
    await owner.client.call(changePreferences, { body: { keep_copyright: false } });
    expect(stored.equals((await strippedJpeg(file, 'own')).stored)).toBe(true);
    expect([stored.includes('Ann'), stored.includes(SECRET)]).toEqual([true, false]);
  });

  it('keeps everything if the form, after the file, names a policy that keeps it', async () => {
    const { id } = await owner.client.call(createPolicy, {
      body: { name: 'as sent', folder: join(temporaryFolder(), 'as-sent'), keep_metadata: true },
    });
    const [group] = (await owner.client.call(listGroups, { query: {} })).items;
    await owner.client.call(changeGroup, {
      params: { id: String(group?.id) } as never,
      body: { policy_ids: [...(group?.policy_ids ?? []), id] },
    });
    const file = another(photo);
    expect((await storedOf(await sendFile(file, { policy_id: String(id) }))).equals(file)).toBe(true);
    expect(staged()).toEqual([]);
  });

  it('keeps everything under a policy that keeps it', async () => {
    const keep = (keep_metadata: boolean) => owner.client.call(changePolicy, { params: { id: '1' }, body: { keep_metadata } });
    await keep(true);
    const file = another(photo);
    const image = await sendFile(file);
    await keep(false);
    expect((await storedOf(image)).equals(file)).toBe(true);
  });

  it('is converted if the form, after the file, asks for it', async () => {
    const stored = await storedOf(await sendFile(another(photo), { convert: 'webp' }));
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'webp', width: 1200, height: 1000 });
    expect(staged()).toEqual([]);
  });

  it('is refused if it is cut off, and leaves nothing behind', async () => {
    await expect(sendFile(photo.subarray(0, photo.length - 1_000))).rejects.toMatchObject({ status: 400, code: 'damaged_image' });
    expect(staged()).toEqual([]);
  });

  it.each([100, 700_000, 1_100_000])('leaves nothing behind if its client disconnects after %i bytes', async (length) => {
    const sent = start();
    sent.write(photo.subarray(0, length));
    await expect.poll(staged).toHaveLength(1);
    sent.destroy();
    await expect.poll(staged).toEqual([]);
  });

  it('leaves nothing behind if it is larger than its group allows', async () => {
    const [group] = (await owner.client.call(listGroups, { query: {} })).items;
    const limit = (max_file_bytes: number) =>
      owner.client.call(changeGroup, { params: { id: String(group?.id) } as never, body: { max_file_bytes } });
    await limit(photo.length - 10_000);
    await expect(sendFile(another(photo))).rejects.toMatchObject({ status: 413, code: 'file_too_large' });
    await limit(group?.max_file_bytes as number);
    expect(staged()).toEqual([]);
  });
});

/** The beginning of an upload whose length isn't announced. */
function start(): ClientRequest {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=border',
    'transfer-encoding': 'chunked',
  };
  const sent = request(`${service.url}/api/v1/upload`, { method: 'POST', agent: false, headers });
  sent.on('error', () => undefined); // the connection ends on this side
  sent.write('--border\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n');
  return sent;
}

import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import { runCleanUp } from '#api/admin/system.ts';
import { batchImages } from '#api/images/changes.ts';
import { listImages } from '#api/images/images.ts';
import { emptyTrash } from '#api/images/trash.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { boxesOf, describeVideo, largeVideo, mp4Box, videoFixture, withBox } from '#test/helpers/pictures/videos.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const token = await owner.token('full');
const upload = (bytes: Uint8Array, name = 'film.mp4', fields = {}) => uploadImage(service, token, bytes, fields, name);

/** The form of an upload, with a poster. */
async function send(
  bytes: Uint8Array,
  { poster, name = 'film.mp4', as = token }: { poster?: Uint8Array; name?: string; as?: string } = {},
) {
  const form = new FormData();
  if (poster) form.append('poster', new Blob([new Uint8Array(poster)], { type: 'image/png' }), 'poster.png');
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(`${service.url}/api/v1/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}` },
    body: form,
  });
  return { ...(await response.json()), status: response.status };
}

let copies = 0;
/** The same video in other bytes: not a repeat. */
const another = (name: string) => Buffer.concat([videoFixture(name), mp4Box('free', String(++copies))]);

const contentAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

describe('a video', () => {
  it.each([
    ['h264-aac.mov', 'mp4', { width: 128, height: 72, duration: 2, has_audio: true }],
    ['fragmented.mp4', 'mp4', { width: 128, height: 72, has_audio: true }],
    ['two-videos.mp4', 'mp4', { width: 128, height: 72, duration: 1, has_audio: false }],
    ['vp9-opus.webm', 'webm', { width: 128, height: 72, has_audio: true }],
    ['vp8-vorbis.webm', 'webm', { width: 128, height: 72, has_audio: true }],
  ])('is served with its samples, and nothing else: %s', async (name, ext, expected) => {
    const sent = videoFixture(name);
    const image = await upload(sent, name);
    expect(image).toMatchObject({ kind: 'video', ext, mime: `video/${ext}`, ...expected, has_poster: false });
    const served = await contentAt(image.links.url);
    expect(served.length).toBe(image.size);
    expect(served.includes('Secret')).toBe(false);
    expect(served.includes('+52.52')).toBe(false);
    expect(served.includes('Mediabunny')).toBe(false);
    const [before, after] = [await describeVideo(sent), await describeVideo(served)];
    const firstOf = (type: string) => before.tracks.filter((track) => track.type === type).slice(0, 1);
    expect(after.tags).toEqual({});
    expect(after.tracks.map(({ codec, count, samples }) => ({ codec, count, samples }))).toEqual(
      [...firstOf('video'), ...firstOf('audio')].map(({ codec, count, samples }) => ({ codec, count, samples })),
    );
    for (const { language } of after.tracks) expect(language).toBe('und');
    if (ext === 'webm')
      expect(served.lastIndexOf('\x1c\x53\xbb\x6b', undefined, 'latin1')).toBeLessThan(served.indexOf('\x1f\x43\xb6\x75', 0, 'latin1'));
    if (ext === 'mp4') {
      expect(boxesOf(served).filter((box) => box !== 'free')).toEqual(['ftyp', 'moov', 'mdat']);
      for (const box of ['udta', 'meta', 'tmcd', 'tref', 'uuid']) expect(served.includes(box)).toBe(false);
      withBox(served, 'mvhd', (body) => expect(body.subarray(4, 12).every((byte) => byte === 0)).toBe(true));
    }
  });

  it('takes the time at which it was made, and is the same picture when it is sent again', async () => {
    const first = await upload(videoFixture('h264-aac.mov'), 'a.jpg');
    expect(first).toMatchObject({ taken_at: '2024-05-06T07:08:09.000Z' });
    expect(await upload(videoFixture('h264-aac.mov'))).toMatchObject({ key: first.key, reused: true });
  });

  it('may be larger than what a decoder is given at once', async () => {
    const sent = await largeVideo(24);
    const image = await upload(sent);
    const [before, after] = [await describeVideo(sent), await describeVideo(await contentAt(image.links.url))];
    expect(after.tracks.map(({ samples }) => samples)).toEqual(before.tracks.map(({ samples }) => samples));
  });

  it('is found among others', async () => {
    const [video, picture] = [await upload(videoFixture('fragmented.mp4'), 'found.mp4'), await upload(await photoJpeg(), 'found.jpg')];
    for (const query of [{ type: 'video' }, { q: 'type:video' }, { q: 'video' }, { type: 'mp4' }]) {
      const { items } = await owner.client.call(listImages, { query });
      const keys = items.map(({ key }) => key);
      expect([query, keys.includes(video.key), keys.includes(picture.key)]).toEqual([query, true, false]);
    }
  });

  it('has a tile with its duration until it gets a poster', async () => {
    const image = await upload(videoFixture('fragmented.mp4'), 'tile.mp4', { tags: 'tile' });
    for (const ext of ['jpg', 'webp']) {
      const tile = await contentAt(`${service.url}/t/${image.key}.${ext}?w=400`);
      expect(await sharp(tile).metadata()).toMatchObject({ width: 128, height: 72 });
    }
    const poster = await sharp({ create: { width: 640, height: 360, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { status, data } = await send(another('two-videos.mp4'), { poster });
    expect([status, data.has_poster]).toEqual([200, true]);
    const shown = await sharp(await contentAt(`${data.links.thumbnail_url}?w=400`)).stats();
    expect(shown.dominant.r).toBeGreaterThan(200);
  });

  it('keeps the limits of the group: bytes, seconds, formats', async () => {
    const set = (body: object) => owner.client.call(changeGroup, { params: { id: '1' }, body });
    await set({ max_video_bytes: 1000 });
    expect(await send(another('fragmented.mp4'))).toMatchObject({ status: 413, data: { code: 'file_too_large', max_bytes: 1000 } });
    await set({ max_video_bytes: 0, max_file_bytes: 1000 });
    expect((await send(another('fragmented.mp4'))).status).toBe(200);
    await set({ max_file_bytes: 0, max_video_seconds: 1 });
    expect((await send(another('h264-aac.mov'))).status).toBe(200);
    expect(await send(another('b-frames.mp4'))).toMatchObject({ status: 400, data: { code: 'video_too_long', max_seconds: 1 } });
    await set({ max_video_seconds: 0, allowed_exts: ['jpg', 'png', 'webm'] });
    const refusal = { status: 415, data: { code: 'ext_not_allowed' }, message: expect.stringContaining('MP4 videos') };
    expect(await send(another('fragmented.mp4'))).toMatchObject(refusal);
    expect((await send(await photoJpeg(), { name: 'a.mp4' })).data).toMatchObject({ kind: 'picture', ext: 'jpg', duration: null });
    await set({ allowed_exts: ['jpg', 'png', 'mp4', 'mov', 'webm'] });
  });
});

/** Boxes in each other. */
function nested(depth: number): Buffer {
  const heads = Buffer.alloc(depth * 8);
  for (let i = 0; i < depth; i++) {
    heads.writeUInt32BE((depth - i) * 8, i * 8);
    heads.write('moov', i * 8 + 4, 'latin1');
  }
  return heads;
}

const MP4 = () => videoFixture('h264-aac.mov');
const FTYP = mp4Box('ftyp', 'isom\0\0\0\0mp42');
const huge = (count: number) => Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, ...new Uint8Array(new Uint32Array([count]).buffer).reverse()]);

describe.each([
  ['a codec that isn’t taken', () => videoFixture('mpeg4.mp4'), 415, /codec mp4v/],
  ['a protected video', () => videoFixture('protected.mp4'), 415, /protected/],
  ['sound alone', () => videoFixture('sound-only.mp4'), 400, /contains no video/],
  ['3 GB claimed in a header', () => withBox(MP4(), 'mdat', (_body, head) => head.writeUInt32BE(3_000_000_000)), 400, /damaged/],
  ['a truncated file', () => MP4().subarray(0, -1000), 400, /damaged/],
  ['a truncated fragment', () => videoFixture('fragmented.mp4').subarray(0, -9000), 400, /damaged/],
  ['a truncated WebM', () => videoFixture('vp9-opus.webm').subarray(0, -9000), 400, /damaged/],
  ['boxes nested 10,000 deep', () => Buffer.concat([FTYP, nested(10_000)]), 400, /damaged/],
  [
    'an index of ten million samples',
    () =>
      Buffer.concat([
        FTYP,
        mp4Box('moov', mp4Box('trak', mp4Box('mdia', mp4Box('minf', mp4Box('stbl', mp4Box('stsz', huge(10_000_000))))))),
      ]),
    400,
    /pieces/,
  ],
  [
    'endless fragments',
    () =>
      Buffer.concat([
        FTYP,
        mp4Box('moov', ''),
        ...Array.from({ length: 20_000 }, () => mp4Box('moof', mp4Box('traf', mp4Box('trun', huge(0))))),
      ]),
    400,
    /no video/,
  ],
  [
    'a fragment of ten million samples',
    () =>
      Buffer.concat([
        FTYP,
        mp4Box('moov', ''),
        mp4Box('moof', mp4Box('traf', mp4Box('trun', Buffer.from([0, 0, 0, 0, 0, 0x98, 0x96, 0x80])))),
      ]),
    400,
    /pieces/,
  ],
  ['samples beyond the file', () => withBox(MP4(), 'stco', (body) => body.writeUInt32BE(4_000_000_000, 8)), 400, /damaged/],
  ['samples that share their bytes', () => withBox(MP4(), 'stsz', (body) => body.writeUInt32BE(1_000_000, 4)), 400, /damaged/],
  ['no index', () => Buffer.concat([FTYP, mp4Box('mdat', 'nothing')]), 400, /damaged/],
  [
    'text after the beginning of a WebM',
    () => Buffer.concat([videoFixture('vp9-opus.webm').subarray(0, 100), Buffer.alloc(10_000, 'text')]),
    400,
    /damaged/,
  ],
] as const)('%s', (_what, make, status, sentence) => {
  it('is refused with the reason, and leaves nothing', async () => {
    const before = (await owner.client.call(listImages, { query: {} })).items.length;
    const refused = await send(make());
    expect([refused.status, refused.message]).toEqual([status, expect.stringMatching(sentence)]);
    expect(refused.data.code).toMatch(status === 415 ? 'ext_not_allowed' : /damaged_image|image_too_large/);
    expect((await owner.client.call(listImages, { query: {} })).items.length).toBe(before);
    expect(readdirSync(join(service.dataDir, 'tmp'))).toEqual([]);
  });
});

it('takes edit lists as players do, negative and huge ones included', async () => {
  for (const [at, value] of [
    [12, -1_000_000],
    [8, 0x7fffffff],
  ] as const) {
    const { status } = await send(withBox(MP4(), 'elst', (body) => body.writeInt32BE(value, at)));
    expect([200, 400]).toContain(status);
  }
});

it.each([
  [
    'a bomb',
    async () =>
      sharp({ create: { width: 15_000, height: 15_000, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    'image_too_large',
  ],
  ['a drawing', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'ext_not_allowed'],
  ['another video', async () => videoFixture('fragmented.mp4'), 'ext_not_allowed'],
])('refuses a poster that is %s, with its video', async (_what, make, code) => {
  const before = (await owner.client.call(listImages, { query: {} })).items.length;
  expect((await send(another('two-videos.mp4'), { poster: await make() })).data).toMatchObject({ code });
  expect((await owner.client.call(listImages, { query: {} })).items.length).toBe(before);
  expect(readdirSync(join(service.dataDir, 'tmp'))).toEqual([]);
});

/** The paths of all stored files; with PostgreSQL, they are in a bucket. */
const blobs = () => globSync(join(service.dataDir, 'blobs/*/*/*'));

describe('the poster of a video', () => {
  const red = sharp({ create: { width: 320, height: 180, channels: 3, background: 'red' } });

  async function setPoster(key: string, poster: Uint8Array, authorization = `Bearer ${token}`) {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(poster)]), 'poster');
    const response = await fetch(`${service.url}/api/v1/images/${key}/poster`, { method: 'PUT', headers: { authorization }, body: form });
    return { ...(await response.json()), status: response.status };
  }

  it.skipIf(onPostgres)('can be set later by its owner, and loses its metadata', async () => {
    const video = await upload(another('fragmented.mp4'));
    const tile = await fetch(video.links.thumbnail_url);
    const poster = await red
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Secret' } })
      .toBuffer();
    const { status, data } = await setPoster(video.key, poster);
    expect([status, data.has_poster, data.thumbhash]).toEqual([200, true, null]);
    const shown = await fetch(video.links.thumbnail_url);
    expect(shown.headers.get('etag')).not.toBe(tile.headers.get('etag'));
    expect((await sharp(Buffer.from(await shown.arrayBuffer())).stats()).dominant.r).toBeGreaterThan(200);
    const { poster_sha256 } = await withDatabase(service, ({ read }) =>
      read.selectFrom('images').select('poster_sha256').where('key', '=', video.key).executeTakeFirstOrThrow(),
    );
    expect(readFileSync(blobs().find((name) => name.endsWith(poster_sha256 ?? '-')) ?? '').includes('Secret')).toBe(false);
    expect(await setPoster(video.key, await red.png().toBuffer())).toMatchObject({ status: 200 });
  });

  it('is set by a repeated upload if there is none, unless its token may only upload', async () => {
    const [first, second] = await Promise.all(['red', 'blue'].map((background) => red.clone().tint(background).png().toBuffer()));
    const bytes = another('fragmented.mp4');
    const { key } = await upload(bytes);
    const shown = () =>
      withDatabase(service, ({ read }) =>
        read.selectFrom('images').select(['has_poster', 'poster_sha256']).where('key', '=', key).executeTakeFirstOrThrow(),
      );
    const tile = await shown();
    expect(await send(bytes, { poster: first, as: await owner.token('upload') })).toMatchObject({
      status: 200,
      data: { key, reused: true },
    });
    expect(await shown()).toEqual(tile);
    expect((await send(bytes, { poster: Buffer.from('text') })).status).toBe(415);
    expect(await send(bytes, { poster: first })).toMatchObject({ data: { key, reused: true, has_poster: true } });
    const poster = await shown();
    expect(poster.poster_sha256).not.toBe(tile.poster_sha256);
    expect(await send(bytes, { poster: second })).toMatchObject({ data: { key, reused: true, has_poster: true } });
    expect(await shown()).toEqual(poster);
    expect(readdirSync(join(service.dataDir, 'tmp'))).toEqual([]);
  });

  it('is refused for pictures, for videos of others, and when it is none', async () => {
    const [video, picture] = [await upload(another('fragmented.mp4')), await upload(await photoJpeg({ seed: 9 }), 'a.jpg')];
    const poster = await red.png().toBuffer();
    expect(await setPoster(picture.key, poster)).toMatchObject({ status: 400, message: expect.stringContaining('Only videos') });
    expect(await setPoster(video.key, Buffer.from('text'))).toMatchObject({ status: 415 });
    expect(await setPoster(video.key, poster.subarray(0, 100))).toMatchObject({ status: 400, data: { code: 'damaged_image' } });
    const bea = await addUser(service, 'bea');
    expect(await setPoster(video.key, poster, `Bearer ${await bea.token('full')}`)).toMatchObject({ status: 404 });
    expect(readdirSync(join(service.dataDir, 'tmp'))).toEqual([]);
  });

  it.skipIf(onPostgres)('leaves with the video, and the tile as well', async () => {
    const before = blobs();
    const video = await upload(another('vp9-opus.webm'));
    await setPoster(video.key, await red.resize(64).webp().toBuffer());
    expect(blobs().filter((name) => !before.includes(name)).length).toBeGreaterThan(0);
    await owner.client.call(batchImages, { body: { action: 'trash', keys: [video.key] } });
    await owner.client.call(emptyTrash, {});
    await owner.client.call(runCleanUp, { body: { what: 'unused' } });
    await expect.poll(() => blobs().filter((name) => !before.includes(name)), { timeout: 20_000 }).toEqual([]);
  });
});

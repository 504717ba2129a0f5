import { describe, expect, it } from 'vitest';
import { getImage } from '#api/images/images.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { mp4Box, videoFixture } from '#test/helpers/pictures/videos.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const token = await owner.token('full');
let copies = 0;
const upload = (fields = {}) =>
  uploadImage(service, token, Buffer.concat([videoFixture('fragmented.mp4'), mp4Box('free', String(++copies))]), fields, 'film.mp4');
const get = ({ links, key }: Uploaded, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(links.url.startsWith('http') ? `${service.url}/i/${key}.mp4` : links.url, { headers, method });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const viewsOf = async ({ key }: Uploaded) => (await owner.client.call(getImage, { params: { key } })).views;

describe('a video', () => {
  it('is sent in parts, as players ask for them', async () => {
    const video = await upload();
    const whole = Buffer.from(await (await get(video)).arrayBuffer());
    const part = await get(video, { range: 'bytes=100-199' });
    expect([part.status, part.headers.get('content-range'), part.headers.get('content-type'), part.headers.get('accept-ranges')]).toEqual([
      206,
      `bytes 100-199/${video.size}`,
      'video/mp4',
      'bytes',
    ]);
    expect(part.headers.get('x-content-type-options')).toBe('nosniff');
    expect(part.headers.get('content-security-policy')).toContain("media-src 'self'");
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(100, 200));
    const etag = part.headers.get('etag') ?? '';
    expect((await get(video, { range: 'bytes=5-9', 'if-range': etag })).status).toBe(206);
    expect((await get(video, { range: 'bytes=5-9', 'if-range': '"another"' })).status).toBe(200);
    expect((await get(video, { range: `bytes=${video.size}-` })).status).toBe(416);
    expect((await get(video, {}, 'HEAD')).headers.get('content-length')).toBe(String(video.size));
  });

  it('is viewed once for each time that it is played from its beginning', async () => {
    const video = await upload();
    for (const range of [undefined, 'bytes=0-', 'bytes=100-', 'bytes=-50', 'bytes=2000-3000', 'bytes=0-99'])
      await (await get(video, range === undefined ? {} : { range })).arrayBuffer();
    await expect.poll(() => viewsOf(video), { timeout: 10_000 }).toBe(3);
  });
});

describe('a video with a view limit', () => {
  it('can be played, paused and sought by whoever has used up a view, and by no one else', async () => {
    const [video, other] = [await upload({ max_views: '1' }), await upload({ max_views: '2' })];
    const first = await get(video, { range: 'bytes=0-' });
    expect([first.status, first.headers.get('cache-control'), first.headers.get('etag')]).toEqual([206, 'private, no-store', null]);
    await first.arrayBuffer();
    const [set = ''] = first.headers.getSetCookie();
    expect(set).toMatch(new RegExp(`^pixdock_play_${video.key}=.*Path=/i/${video.key}\\.mp4; .*HttpOnly; SameSite=Lax`));
    expect(Number(/Max-Age=(\d+)/.exec(set)?.[1])).toBe(3600 + Math.floor(video.duration ?? 0));
    const cookie = cookieOf(first);
    for (const range of ['bytes=100-199', 'bytes=0-', 'bytes=-10']) expect((await get(video, { range, cookie })).status).toBe(206);
    expect((await get(video, { cookie })).status, 'the whole file again').toBe(410);
    const strangers: Record<string, string>[] = [{}, { range: 'bytes=100-199' }, { range: 'bytes=0-', cookie: cookie.replace(/.$/, '_') }];
    for (const headers of strangers) expect((await get(video, headers)).status).toBe(410);
    const forged = cookie.replace(video.key, other.key);
    expect((await get(other, { range: 'bytes=100-', cookie: forged })).headers.getSetCookie(), 'another view').toHaveLength(1);
    expect(await viewsOf(video)).toBe(1);
    expect((await get(other, {}, 'HEAD')).status).toBe(200);
    expect(await viewsOf(other)).toBe(1);
  });

  it('has exactly as many of 100 players at once as it has views', async () => {
    const video = await upload({ max_views: '7' });
    const play = async () => {
      const first = await get(video, { range: 'bytes=0-' });
      await first.arrayBuffer();
      const cookie = cookieOf(first);
      if (first.status !== 206) return [first.status];
      return Promise.all([1, 2, 3].map(async (at) => (await get(video, { range: `bytes=${at * 1000}-`, cookie })).status));
    };
    const players = await Promise.all(Array.from({ length: 100 }, play));
    expect(players.filter(([status]) => status === 206)).toEqual(Array.from({ length: 7 }, () => [206, 206, 206]));
    expect(players.filter(([status]) => status === 410)).toHaveLength(93);
    expect(await viewsOf(video)).toBe(7);
  });

  it('stays locked by its password', async () => {
    const video = await upload({ max_views: '3', access_password: 'sesame' });
    expect((await get(video, { range: 'bytes=0-' })).status).toBe(401);
    const opened = await get(video, { range: 'bytes=0-', 'x-image-password': 'sesame' });
    expect(opened.status).toBe(206);
    expect((await get(video, { range: 'bytes=100-', cookie: cookieOf(opened) })).status).toBe(401);
    expect((await get(video, { range: 'bytes=100-', cookie: cookieOf(opened), 'x-image-password': 'sesame' })).status).toBe(206);
    expect(await viewsOf(video)).toBe(1);
  });
});

it('tells other sites how to embed a video', async () => {
  const video = await upload();
  const page = await (await fetch(`${service.url}/s/${video.key}`)).text();
  for (const tag of ['og:video" content="', 'og:video:type" content="video/mp4', 'og:video:width" content="128', 'og:image" content="'])
    expect(page).toContain(tag);
  const embed = await (await fetch(`${service.url}/oembed?url=${encodeURIComponent(video.links.share_url)}&maxwidth=64`)).json();
  expect(embed).toMatchObject({
    type: 'video',
    width: 64,
    height: 36,
    html: expect.stringContaining('<video width="64" height="36" src="'),
  });
  const limited = await upload({ max_views: '3' });
  const hidden = await (await fetch(`${service.url}/oembed?url=${encodeURIComponent(limited.links.share_url)}`)).json();
  expect(hidden).not.toHaveProperty('html');
  expect(await (await fetch(`${service.url}/s/${limited.key}`)).text()).not.toContain('og:video');
});

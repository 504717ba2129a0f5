import { once } from 'node:events';
import { get } from 'node:http';
import { expect, it } from 'vitest';
import { contentOf } from '#test/helpers/network/content.ts';
import { image } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

/** Larger than one chunk, so that the first response comes from disk and later ones from memory. */
let _token: string;
const { service, owner } = await startFileService();
const token = await owner.token('full');

let seed = 0;
async function uploadLarge() {
  const bytes = await image({ width: 1200, height: 900, seed: ++seed }).png({ compressionLevel: 0 }).toBuffer();
  const { key, size, sha256 } = await uploadImage(service, token, bytes, {}, 'large.png');
  expect(size).toBeGreaterThan(2_000_000);
  return { url: `${service.url}/i/${key}.png`, size, sha256, key };
}

const wholeOf = (url: string) => contentOf(fetch(url));

/** Disconnects after the first bytes. */
async function hangUp(url: string) {
  const sent = get(url, { agent: false });
  const [response] = await once(sent, 'response');
  await once(response, 'data');
  sent.destroy();
  await once(response, 'close').catch(() => undefined); // the test closes the connection
}

it('is the same from disk and from memory: whole, in ranges, and for HEAD', async () => {
  const { url, size } = await uploadLarge();
  const first = await wholeOf(url);
  expect([first.length, (await wholeOf(url)).equals(first), (await wholeOf(url)).equals(first)]).toEqual([size, true, true]);
  for (const range of ['bytes=1000000-1999999', 'bytes=-10']) {
    const part = await fetch(url, { headers: { range } });
    const [, start, end] = /bytes (\d+)-(\d+)/.exec(part.headers.get('content-range') ?? '') ?? [];
    expect(Buffer.from(await part.arrayBuffer()).equals(first.subarray(Number(start), Number(end) + 1))).toBe(true);
  }
  expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe(String(size));
});

it('reaches other clients whole while some disconnect midway', async () => {
  const { url, size } = await uploadLarge();
  for (let round = 0; round < 3; round++) {
    const lost = Array.from({ length: 20 }, () => hangUp(url));
    const whole = await Promise.all(Array.from({ length: 4 }, () => wholeOf(url)));
    await Promise.all(lost);
    expect(whole.map(({ length }) => length)).toEqual([size, size, size, size]);
    expect(whole.every((bytes) => bytes.equals(whole[0] as Buffer))).toBe(true);
  }
});

it('is gone as soon as it is deleted, however often it was requested', async () => {
  const { url, key } = await uploadLarge();
  for (let time = 0; time < 3; time++) await wholeOf(url);
  const deleted = await fetch(`${service.url}/api/v1/images/${key}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
  expect([deleted.status, (await fetch(url)).status]).toEqual([200, 404]);
});

import { expect, test } from 'vitest';
import { listAlbums } from '#api/albums/albums.ts';
import { createToken } from '#api/auth/tokens.ts';
import { createClient, NetworkError } from '#api/client.ts';
import { uploadUrl } from '#api/images/upload.ts';
import { ProgressMeter } from '#api/progress-meter.ts';
import { accept, closeReused, reset, startScriptedService } from '#test/cli/scripted-service.ts';

const page = { items: [], next_cursor: null };

test('a request that can be repeated gets a new connection when the service has closed its own', async () => {
  await using service = await startScriptedService([closeReused(accept(page))]);
  const client = createClient({ baseUrl: service.url });
  // Until one of the calls has taken a connection from the pool, and was sent twice.
  for (let calls = 0; service.seen.length === calls; calls++) expect(await client.call(listAlbums, { query: {} })).toEqual(page);
});

test('a request is repeated only once', async () => {
  await using service = await startScriptedService([reset]);
  await expect(createClient({ baseUrl: service.url }).call(listAlbums, { query: {} })).rejects.toThrow(NetworkError);
  expect(service.seen).toHaveLength(2);
});

test('a POST is not repeated: it may have been carried out', async () => {
  await using service = await startScriptedService([reset]);
  const token = { name: 'laptop', scope: 'upload' } as const;
  await expect(createClient({ baseUrl: service.url }).call(createToken, { body: token })).rejects.toThrow(NetworkError);
  expect(service.seen).toHaveLength(1);
});

test('an upload with a key is repeated', async () => {
  await using service = await startScriptedService([reset]);
  const upload = (headers: Record<string, string>) =>
    createClient({ baseUrl: service.url }).call(uploadUrl, { query: {}, body: { url: 'https://example.org/a.png' }, headers });
  await expect(upload({ 'idempotency-key': 'item-1' })).rejects.toThrow(NetworkError);
  expect(service.seen).toHaveLength(2);
  await expect(upload({})).rejects.toThrow(NetworkError);
  expect(service.seen).toHaveLength(3);
});

function meterIn() {
  let now = 0;
  const meter = new ProgressMeter(() => now);
  /** The speed once `sent` bytes in total have been sent at a time in milliseconds. */
  const at = (sent: number, time: number) => {
    now = time;
    meter.set(sent);
    return meter.read().bytesPerSecond;
  };
  return { meter, at };
}

test('has no speed until a fifth of a second has passed', () => {
  const { meter, at } = meterIn();
  expect(at(500, 100)).toBeUndefined();
  expect(meter.read().sent).toBe(500);
  expect(at(1000, 1000)).toBe(1000);
});

test('smooths the speed across bursts', () => {
  const { at } = meterIn();
  expect(at(1000, 1000)).toBe(1000);
  expect(at(9000, 1100)).toBe(1000);
  expect(at(9000, 2000)).toBe(4500);
  expect(at(9000, 12_000)).toBe(0);
});

test('takes bytes back without a negative speed', () => {
  const { meter, at } = meterIn();
  at(1000, 1000);
  meter.add(-1000);
  expect(meter.read().sent).toBe(0);
  expect(at(0, 3000)).toBe(0);
});

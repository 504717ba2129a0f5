import { createServer } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { setupRecentUploads } from '#main/uploader/recent-uploads.ts';
import { FakeAccount } from './harness.ts';

const server = createServer(({ url }, response) => {
  if (url?.startsWith('/t/')) {
    if (url.includes('key1')) return void response.destroy();
    return void response.end('thumbnail');
  }
  const data = { items: ['key1', 'key2'].map((key) => ({ key, name: `${key}.png` })), next_cursor: null };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ status: true, data }));
});

afterEach(() => void server.close());

it('lists pictures at once, and also those whose thumbnail fails', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const account = Object.assign(new FakeAccount(), { access: async () => ({ url: `http://127.0.0.1:${port}`, headers: {} }) });
  const recent = setupRecentUploads(account);
  const seen: (string | undefined)[][] = [];
  recent.onChange(() => seen.push(recent.list().map(({ image, thumbnail }) => thumbnail?.toString() ?? image.name)));
  await recent.refresh();
  expect(seen).toEqual([
    ['key1.png', 'key2.png'],
    ['key1.png', 'thumbnail'],
  ]);
  expect(errors).toHaveBeenCalledExactlyOnceWith('Couldn’t load a thumbnail:', expect.anything());
  errors.mockRestore();
});

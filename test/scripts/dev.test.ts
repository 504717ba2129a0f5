import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '#api/client.ts';
import { getConfig } from '#api/config.ts';
import { type DevCopy, startDevCopy } from '#test/helpers/programs/source-copy.ts';

let dev: DevCopy;
beforeAll(async () => {
  dev = await startDevCopy(['--pages']);
}, 150_000);
afterAll(() => dev?.[Symbol.asyncDispose]());

// Each on a connection of its own: the server may close an idle one just when a request is sent on it.
const get = (path: string) => fetch(`${dev.url}${path}`, { headers: { accept: 'text/html', connection: 'close' } });

it('serves pages with hot reload, under the Content-Security-Policy of the service', async () => {
  for (const path of ['/', '/settings/profile', '/s/abcdefghijkl', '/a/abcdefghij', '/upload', '/sign-in']) {
    const response = await get(path);
    const page = await response.text();
    const [, nonce] = /script-src 'self' 'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
    expect(nonce, path).toBeTruthy();
    expect(page).toContain(`src="/@vite/client" nonce="${nonce}"`);
    expect(page.match(/<script/g)).toHaveLength(page.match(new RegExp(`<script[^>]* nonce="${nonce}"`, 'g'))?.length ?? 0);
  }
  expect(await (await get('/main.tsx')).text()).toContain('createRoot');
});

it('serves every module of the web application and of the light pages', async () => {
  const seen = new Set(['/main.tsx', ...['share', 'album', 'guest', 'entry'].map((page) => `/light/${page}.tsx`)]);
  for (const path of seen) {
    const response = await get(path);
    const code = await response.text();
    expect(response.status, `${path}: ${code}`).toBe(200);
    // Vite writes imports of our own modules as paths from the root; those of packages and of api/ start with /@ or /node_modules.
    for (const [, module] of code.matchAll(/(?:from |import |import\()"(\/[a-z][^"]*\.tsx?)"/g))
      if (module && !module.startsWith('/node_modules/')) seen.add(module);
  }
  expect(seen.size).toBeGreaterThan(100);
}, 120_000);

it('passes everything else to the service, whose links lead back here', async () => {
  for (const path of ['/healthz', '/docs/api', '/api/v1/openapi.json']) expect((await get(path)).status, path).toBe(200);
  const config = await createClient({ baseUrl: dev.url }).call(getConfig, {});
  // Decoders run in threads, which the watcher must not disturb.
  expect(config).toMatchObject({ base_url: dev.url, setup_required: false, heic_supported: true });
});

it('has demo data that its owner can sign in to', async () => {
  const headers = { 'content-type': 'application/json', origin: dev.url };
  const body = JSON.stringify({ login: 'ada', password: 'pixdock-demo' });
  const login = await fetch(`${dev.url}/api/v1/auth/login`, { method: 'POST', headers, body });
  expect(login.status).toBe(200);
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const images = await fetch(`${dev.url}/api/v1/images?limit=100`, { headers: { cookie } });
  const { data } = (await images.json()) as {
    data: { items: { key: string; visibility: string; has_password: boolean; max_views: number; expires_at: string | null }[] };
  };
  expect(data.items.length).toBeGreaterThan(24);
  expect(data.items.some((image) => image.has_password)).toBe(true);
  expect(data.items.some((image) => image.max_views > 0)).toBe(true);
  expect(data.items.some((image) => image.expires_at)).toBe(true);
  // With its preview, the page is long enough for the service to compress it.
  const open = data.items.find(({ visibility, has_password, max_views }) => visibility === 'public' && !has_password && !max_views);
  const page = await get(`/s/${open?.key}`);
  expect([page.status, page.headers.get('content-encoding')]).toEqual([200, null]);
  expect(await page.text()).toMatch(/src="\/@vite\/client"[\s\S]*og:title[\s\S]*src="\/light\/share\.tsx"/);
});

it('shows every page in frames', async () => {
  const gallery = await (await get('/pages')).text();
  const paths = [...gallery.matchAll(/data-src="([^"]+)"/g)].map(([, path]) => path);
  expect(paths).toEqual(expect.arrayContaining(['/', '/settings/account', '/admin/system', '/sign-in']));
  expect(paths.filter((path) => /undefined/.test(path ?? ''))).toEqual([]);
  for (const path of paths) {
    const { headers } = await get(path ?? '');
    expect([headers.get('content-security-policy'), headers.get('x-frame-options')].join(), path).not.toMatch(
      /frame-ancestors 'none'|DENY/,
    );
  }
});

it('restarts the service after a change, and after an error once it is fixed', async () => {
  const line = "app.disable('x-powered-by');";
  const header = async () => (await get('/healthz')).headers.get('x-changed');
  dev.edit('server/boot/app.ts', line, `${line} app.use((_q, r, next) => { r.setHeader('X-Changed', 'yes'); next(); });`);
  await expect.poll(header, { timeout: 30_000 }).toBe('yes');

  dev.edit('server/boot/app.ts', line, `${line} )`);
  await expect.poll(async () => (await get('/healthz')).status, { timeout: 30_000 }).toBe(503);
  expect(await (await get('/')).text()).toContain('The service has crashed; its error is in the terminal.');

  dev.edit('server/boot/app.ts', `${line} )`, line);
  await expect.poll(header, { timeout: 30_000 }).toBe('yes');
}, 120_000);

it('names a taken port and an unknown option', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../scripts/dev.mjs'), ...args], { encoding: 'utf8' });
  const { port } = new URL(dev.url);
  const taken = run('--port', port);
  expect(taken.stderr).toContain(`Another program is using port ${port}. Stop it, or choose another port: npm run dev -- --port `);
  expect(taken.status).toBe(1);
  expect(run('--demoo').stderr).toMatch(/--demoo.*--port <port>/s);
});

it('prints its address once, and stops everything on Ctrl-C', async () => {
  expect(dev.output().split(dev.url)).toHaveLength(2);
  expect(await dev.stop()).toBe(0);
  const { port } = new URL(dev.url);
  for (const url of [dev.url, `http://127.0.0.1:${Number(port) + 1}`]) await expect(fetch(url)).rejects.toThrow();
});

import { expect, it } from 'vitest';
import { setUp, startTestService } from '#test/helpers/service/service.ts';

it('lets browsers install the application under the site’s name, with icons that exist', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  await owner.fetch('/api/v1/admin/settings', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ site_name: 'Harbour pictures' }),
  });
  const response = await fetch(`${service.url}/manifest.webmanifest`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/manifest+json; charset=utf-8']);
  const manifest = (await response.json()) as { name: string; display: string; icons: { src: string; sizes: string; purpose?: string }[] };
  expect(manifest).toMatchObject({ name: 'Harbour pictures', display: 'standalone', start_url: '/', id: '/' });
  expect(manifest.icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', undefined],
    ['512x512', undefined],
    ['512x512', 'maskable'],
  ]);
  expect(await (await fetch(`${service.url}/sign-in`, { headers: { accept: 'text/html' } })).text()).toContain(
    '<link rel="manifest" href="/manifest.webmanifest" />',
  );
});

import { expect, it } from 'vitest';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';

const { service, owner } = await startFileService();

/** Every administration operation of the published contract. */
async function adminOperations(): Promise<{ method: string; path: string }[]> {
  const document = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/v1/admin/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, '1') })),
    );
}

it('refuses a cross-site write from an admin’s browser', async () => {
  const writes = (await adminOperations()).filter((operation) => operation.method !== 'GET');
  expect(writes.length).toBeGreaterThan(20);
  for (const { method, path } of writes) {
    const response = await fetch(service.url + path, {
      method,
      headers: { 'content-type': 'application/json', cookie: owner.cookie, origin: 'https://evil.example' },
      body: '{}',
    });
    expect([method, path, response.status]).toEqual([method, path, 403]);
  }
});

it('refuses a demoted admin at once', async () => {
  const admin = await addUser(service, 'carol', 'admin');
  expect((await admin.fetch('/api/v1/admin/users')).status).toBe(200);
  const demoted = await owner.fetch(`/api/v1/admin/users/${admin.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'user' }),
  });
  expect(demoted.status).toBe(200);
  expect((await admin.fetch('/api/v1/admin/users')).status).toBe(403);
});

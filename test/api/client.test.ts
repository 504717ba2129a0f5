import { expect, it } from 'vitest';
import { addressOf, createClient } from '#api/client.ts';

it('builds the address of a named route from its parameters and query', () => {
  expect(addressOf('GET /admin/backup/files/:name', { params: { name: 'a b/c.tar' } })).toBe('/api/v1/admin/backup/files/a%20b%2Fc.tar');
  expect(addressOf('GET /auth/oidc/start', { query: { next: '/albums?a=b' } })).toBe('/api/v1/auth/oidc/start?next=%2Falbums%3Fa%3Db');
  expect(addressOf('GET /auth/oidc/start', { query: { next: undefined } })).toBe('/api/v1/auth/oidc/start');
});

it('calls a route by its name', async () => {
  const sent: Request[] = [];
  const send: typeof fetch = async (input, init) => {
    sent.push(new Request(input, init));
    return Response.json({ status: true, data: { id: 7 } });
  };
  const client = createClient({ baseUrl: 'https://pics.example.org', fetch: send });
  const group = await client.call('PATCH /admin/groups/:id', { params: { id: 7 }, body: { name: 'Editors' } });
  expect(group.id).toBe(7);
  expect(sent[0]?.method).toBe('PATCH');
  expect(sent[0]?.url).toBe('https://pics.example.org/api/v1/admin/groups/7');
  expect(await sent[0]?.json()).toEqual({ name: 'Editors' });
});

import { expect, it } from 'vitest';
import { createAlbum, deleteAlbum, listAlbums, orderAlbums } from '#api/albums/albums.ts';
import { MAX_ALBUMS } from '#api/constants.ts';
import { movedAlbums } from '#server/features/albums/order.ts';
import { cpuSince } from '#test/helpers/programs/cpu.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import type { SignedIn } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const bea = await addUser(service, 'bea');

it.each<[string, string, string[]]>([
  ['nothing', 'abcde', []],
  ['one to the front', 'eabcd', ['e']],
  ['one to the end', 'bcdea', ['a']],
  ['two at once', 'dabec', ['d', 'e']],
  ['everything turned round', 'edcba', ['e', 'd', 'c', 'b']],
])('finds the fewest moved albums that explain the new order: %s', (_name, after, moved) => {
  const found = movedAlbums([...'abcde'], [...after]);
  expect(found).toHaveLength(moved.length);
  // The rest keeps its order.
  expect([...after].filter((id) => !found.includes(id))).toEqual([...'abcde'].filter((id) => !found.includes(id)));
  if (moved.length === 1) expect(found).toEqual(moved);
});

it('finds them among very many in an instant', () => {
  const before = Array.from({ length: 50_000 }, (_, index) => String(index));
  const start = process.cpuUsage();
  expect(movedAlbums(before, ['49999', ...before.slice(0, -1)])).toEqual(['49999']);
  expect(cpuSince(start)).toBeLessThan(500);
});

it('lets a user have a limited number of albums, and put the last first', async () => {
  const ids = Array.from({ length: MAX_ALBUMS }, (_, index) => String(index).padStart(10, '0'));
  const rest = { owner_id: bea.id, description: '', visibility: 'private', password_hash: null, cover_key: null } as const;
  const rows = ids.map((id, position) => ({ ...rest, id, name: id, position, created_at: 0, updated_at: 0 }));
  await withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      for (let start = 0; start < rows.length; start += 500)
        await queries
          .insertInto('albums')
          .values(rows.slice(start, start + 500))
          .execute();
    }),
  );
  const create = (user: SignedIn) => user.client.call(createAlbum, { body: { name: 'One more' } });
  await expect(create(bea)).rejects.toMatchObject({
    status: 409,
    code: 'conflict',
    message: expect.stringContaining('10,000 albums'),
    details: { problem: 'too_many_albums', limit: MAX_ALBUMS },
  });
  expect((await create(owner)).name).toBe('One more');
  const last = ids.at(-1) ?? '';
  await bea.client.call(orderAlbums, { body: { ids: [last] } });
  expect((await bea.client.call(listAlbums, { query: {} })).items.slice(0, 2).map(({ id }) => id)).toEqual([last, ids[0]]);
  await bea.client.call(deleteAlbum, { params: { id: last }, query: {} });
  expect((await create(bea)).name).toBe('One more');
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { albumHidden, createAlbum, getAlbum } from '#api/albums/albums.ts';
import { hiddenQuery } from '#server/features/albums/hidden-images.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { dataOf, type Sharing, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
let album: string;
beforeAll(async () => {
  sharing = await startSharing();
  album = (await sharing.bea.client.call(createAlbum, { body: { name: 'Trip', visibility: 'public' } })).id;
});
afterAll(() => sharing[Symbol.asyncDispose]());

const NONE = { private: 0, expired: 0, password_protected: 0, view_limited: 0 };
const counts = () => sharing.bea.client.call(albumHidden, { params: { id: album } });

it('counts each picture that visitors of an album don’t see once, by its first reason', async () => {
  const put = (fields: Record<string, string>) => sharing.upload({ album_id: album, ...fields });
  await put({});
  expect(await counts()).toEqual(NONE);
  await put({ max_views: '5' });
  await put({ access_password: 'sesame', max_views: '5' });
  await put({ visibility: 'private', access_password: 'sesame', max_views: '5' });
  const due = await put({ expires_in: '3600' });
  await put({ expires_in: '3600' });
  await sharing.alter(due.key, { expires_at: 1 });
  const trashed = await put({ visibility: 'private' });
  await sharing.bea.fetch(`/api/v1/images/${trashed.key}`, { method: 'DELETE' });
  await sharing.upload({ visibility: 'private' });
  expect(await counts()).toEqual({ private: 1, expired: 1, password_protected: 1, view_limited: 1 });
  const seen = (await dataOf(await fetch(`${sharing.url}/api/v1/a/${album}`))).image_count;
  expect([seen, (await sharing.bea.client.call(getAlbum, { params: { id: album } })).image_count]).toEqual([2, 5]);
});

it.skipIf(onPostgres)('reads only hidden pictures', async () => {
  const plan = await withDatabase(sharing.service, ({ read }) =>
    hiddenQuery(read, album, sharing.bea.id).explain(undefined, sql`query plan`),
  );
  expect((plan as { detail: string }[])[0]?.detail).toBe('SEARCH album_images USING INDEX album_images_hidden (album_id=?)');
});

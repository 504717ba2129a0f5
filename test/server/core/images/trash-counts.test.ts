import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { getStats } from '#api/admin/stats.ts';
import { listUsers } from '#api/admin/users.ts';
import { getLimits } from '#api/auth/user.ts';
import { batchImages } from '#api/images/changes.ts';
import { listImages } from '#api/images/images.ts';
import { emptyTrash } from '#api/images/trash.ts';
import { inTrash } from '#server/core/images/lifetime/trash.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';

it('every count excludes the trash, and follows trashing, restoring and emptying', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  const token = await owner.token('upload');
  const keys = [];
  for (const seed of [1, 2, 3]) keys.push((await uploadImage(service, token, await photoJpeg({ seed }))).key);
  const counts = async () => {
    const limits = await owner.client.call(getLimits, {});
    const [account] = (await owner.client.call(listUsers, { query: {} })).items;
    const { totals } = await owner.client.call(getStats, { query: { days: 1 } });
    const { items } = await owner.client.call(listImages, { query: {} });
    return [items.length, limits.image_count, account?.image_count, totals.images, account?.trash_count];
  };
  const batch = (action: 'trash' | 'restore', some: string[]) => owner.client.call(batchImages, { body: { action, keys: some } });
  expect(await counts()).toEqual([3, 3, 3, 3, 0]);
  await batch('trash', keys.slice(0, 2));
  expect(await counts()).toEqual([1, 1, 1, 1, 2]);
  await batch('restore', keys.slice(0, 1));
  expect(await counts()).toEqual([2, 2, 2, 2, 1]);
  await owner.client.call(emptyTrash, {});
  expect(await counts()).toEqual([2, 2, 2, 2, 0]);
});

it.skipIf(onPostgres)('counts the trash from an index alone, without reading images', async () => {
  await using service = await startTestService();
  await setUp(service);
  const plans = await withDatabase(service, ({ read }) =>
    Promise.all([inTrash(read), inTrash(read).where('owner_id', '=', 1)].map((query) => query.explain(undefined, sql`query plan`))),
  );
  const details = (plans.flat() as { detail: string }[]).map(({ detail }) => detail);
  expect(details).toEqual([
    'SEARCH images USING COVERING INDEX images_trashed (deleted_at>?)',
    'SEARCH images USING COVERING INDEX images_in_trash (owner_id=? AND deleted_at>?)',
  ]);
});

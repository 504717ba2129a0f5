import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createImageIndex } from '#server/core/images/image-index.ts';
import { openPresent } from '#server/features/delivery/open-present.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

let _token: string;
const { service, owner } = await startFileService();
const token = await owner.token('upload');

/** Opens a missing file for an image whose row changes in the meantime. */
async function openWhile(change: 'delete' | 'empty' | 'leave') {
  const { key } = await uploadImage(service, token, await photoJpeg({ seed: change.charCodeAt(0) }));
  return withDatabase(service, (db) =>
    openPresent(createImageIndex(db), { key }, async () => {
      if (change === 'delete') await db.as('job').write((queries) => queries.deleteFrom('images').where('key', '=', key).execute());
      if (change === 'empty')
        await db.as('job').write((queries) => queries.updateTable('images').set({ emptied_at: 1 }).where('key', '=', key).execute());
      return createFileReader().open(join(service.dataDir, 'blobs', 'gone'));
    }),
  );
}

it('reports a picture that was deleted or expired in the meantime', async () => {
  await expect(openWhile('delete')).rejects.toMatchObject({ code: 'not_found' });
  await expect(openWhile('empty')).rejects.toMatchObject({ code: 'expired' });
});

it('reports the lost bytes of a picture that still exists', async () => {
  await expect(openWhile('leave')).rejects.toThrow('is missing');
});

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createImageIndex } from '#server/core/images/image-index.ts';
import { openPresent } from '#server/core/viewing/open-present.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

let _token: string;
const { service, owner } = await startFileService();
const token = await owner.token('upload');

/** Opens a missing file for an image whose row changes in the meantime. */
async function openWhile(change: 'delete' | 'empty' | 'replace' | 'leave') {
  const { key } = await uploadImage(service, token, await photoJpeg({ seed: change.charCodeAt(0) }));
  return withDatabase(service, async (db) => {
    const find = () => createImageIndex(db).find(key);
    const set = (values: Partial<ImageRow>) =>
      db.as('job').write((queries) => queries.updateTable('images').set(values).where('key', '=', key).execute());
    return openPresent((await find()) as ImageRow, find, async () => {
      if (change === 'delete') await db.as('job').write((queries) => queries.deleteFrom('images').where('key', '=', key).execute());
      if (change === 'empty') await set({ emptied_at: 1 });
      if (change === 'replace') await set({ sha256: 'ab'.repeat(32) });
      return createFileReader().open(join(service.dataDir, 'blobs', 'gone'));
    });
  });
}

it('reports a picture that was deleted, replaced or expired in the meantime', async () => {
  await expect(openWhile('delete')).rejects.toMatchObject({ code: 'not_found' });
  await expect(openWhile('replace')).rejects.toMatchObject({ code: 'not_found', message: expect.stringMatching(/just been replaced/) });
  await expect(openWhile('empty')).rejects.toMatchObject({ code: 'expired' });
});

it('reports the lost bytes of a picture that still exists', async () => {
  await expect(openWhile('leave')).rejects.toThrow('is missing');
});

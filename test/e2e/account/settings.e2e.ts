import { createAlbum } from '#api/albums/albums.ts';
import { getProfile } from '#api/auth/user.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test('uploads get the visibility and the album chosen in the settings', async ({ page, service, owner }) => {
  const album = await owner.client.call(createAlbum, { body: { name: 'Inbox' } });
  await page.goto('/settings/uploads');
  await page.getByText('Only you', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Default album' }).click();
  await page.getByRole('option', { name: 'Inbox' }).click();
  await page.getByRole('switch', { name: 'Keep artist and copyright' }).click();
  await expect
    .poll(async () => (await owner.client.call(getProfile, {})).preferences)
    .toMatchObject({
      visibility: 'private',
      album_id: album.id,
      keep_copyright: true,
    });
  const image = await uploadImage(service, await owner.token('upload'), await photoJpeg());
  expect(image).toMatchObject({ visibility: 'private', album_id: album.id });
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Default album' })).toHaveValue('Inbox');
  expect(await audit(page)).toEqual([]);
});

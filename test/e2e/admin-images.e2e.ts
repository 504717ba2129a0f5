import { changeAdminSettings } from '#api/admin-settings.ts';
import { photoJpeg } from '#test/helpers/images.ts';
import { uploadImage } from '#test/helpers/service.ts';
import { addUser } from '#test/helpers/users.ts';
import { expect, test } from './web.ts';

test('all pictures can be narrowed down to those of one user, who is found by a part of the name, and widened again', async ({
  page,
  owner,
  service,
}) => {
  const grace = await addUser(service, 'grace');
  await addUser(service, 'linus');
  await owner.client.call(changeAdminSettings, { body: { guest_upload_enabled: true } });
  await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 1 }), {}, 'of ada.jpg');
  await uploadImage(service, await grace.token('upload'), await photoJpeg({ seed: 2 }), {}, 'of grace.jpg');
  await uploadImage(service, undefined, await photoJpeg({ seed: 3 }), {}, 'of a guest.jpg');
  await page.goto('/admin/images');
  const list = page.getByRole('list', { name: 'All pictures' });
  await expect(list.getByRole('listitem')).toHaveCount(3);
  const choice = page.getByRole('combobox', { name: 'User' });
  await choice.fill('rac');
  await expect(page.getByRole('option')).toHaveText(['grace']);
  await page.getByRole('option', { name: 'grace' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(list).toContainText('of grace.jpg');
  // A guest is no user: the two filters take each other's place.
  await page.getByRole('switch', { name: 'Guests only' }).click();
  await expect(choice).toHaveValue('');
  await expect(list).toContainText('of a guest.jpg');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('switch', { name: 'Guests only' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(3);
});

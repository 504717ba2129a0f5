import { changeAdminSettings } from '#api/admin/settings.ts';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

test('the picture list filters by user, found by part of the name, and the filter can be cleared', async ({ page, owner, service }) => {
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
  // The filters are in the address, so reload and back keep them, even for users who aren't among the first of the choice.
  await page.getByRole('searchbox', { name: 'Name or link' }).fill('grace');
  await expect(page).toHaveURL(/q=grace/);
  await page.route('**/api/v1/admin/users?limit=50', (route) =>
    route.fulfill({ json: { status: true, message: 'ok', data: { items: [], next_cursor: null } } }),
  );
  await page.reload();
  await expect(choice).toHaveValue('grace');
  await expect(page.getByRole('searchbox')).toHaveValue('grace');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
  await expect(page).not.toHaveURL(/grace|user=/);
  await page.goBack();
  await expect(choice).toHaveValue('grace');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('searchbox').fill('');
  await expect(page).not.toHaveURL(/q=/);
  // A guest isn't a user: the two filters exclude each other.
  await page.getByRole('switch', { name: 'Guests only' }).click();
  await expect(choice).toHaveValue('');
  await expect(list).toContainText('of a guest.jpg');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('switch', { name: 'Guests only' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(3);
});

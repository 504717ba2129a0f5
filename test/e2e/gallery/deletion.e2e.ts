import { listUsers } from '#api/admin/users.ts';
import { listImages } from '#api/images/images.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, signIn, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser, USER_PASSWORD } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

test('an admin deletes users: pictures go to another user, or to the trash, from where they can be moved', async ({
  page,
  owner,
  service,
}) => {
  const [bob, eve, mia] = [await addUser(service, 'bob'), await addUser(service, 'eve'), await addUser(service, 'mia')];
  for (const [seed, user] of [bob, mia].entries()) await uploadImage(service, await user.token('upload'), await photoJpeg({ seed }));
  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Actions for bob' }).click();
  await page.getByRole('menuitem', { name: 'Delete user' }).click();
  const form = page.getByRole('dialog', { name: 'Delete bob?' });
  await form.getByRole('radio', { name: 'Move to another user' }).check();
  await form.getByLabel('To confirm, enter “bob”').fill('bo');
  await form.getByRole('button', { name: 'Delete user' }).click();
  await expect(form).toContainText('The name doesn’t match.');
  await expect(form).toContainText('Choose an account to move the pictures to.');
  expect(await audit(page), 'deleting a user').toEqual([]);
  await form.getByLabel('To confirm, enter “bob”').fill('bob');
  await form.getByRole('combobox', { name: 'Move to' }).click();
  await page.getByRole('option', { name: 'eve' }).click();
  await form.getByRole('button', { name: 'Delete user' }).click();
  await expect(form).toHaveCount(0);
  const users = page.getByRole('list', { name: 'Users' });
  await expect(users.getByRole('heading', { name: 'bob' })).toHaveCount(0);
  expect((await eve.client.call(listImages, { query: {} })).items).toHaveLength(1);

  await page.getByRole('button', { name: 'Actions for mia' }).click();
  await page.getByRole('menuitem', { name: 'Delete user' }).click();
  await page.getByLabel('To confirm, enter “mia”').fill('mia');
  await page.getByRole('button', { name: 'Delete user' }).click();
  const row = users.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'mia' }) });
  await expect(row).toContainText(/Deleted.*1 picture in the trash until /);
  await row.getByRole('button', { name: 'Actions for mia' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Move pictures']);
  await page.getByRole('menuitem', { name: 'Move pictures' }).click();
  await page.getByRole('combobox', { name: 'Move to' }).click();
  await page.getByRole('option', { name: 'eve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move pictures' }).click();
  await expect
    .poll(async () => (await owner.client.call(listUsers, { query: {} })).items.map(({ username }) => username), { timeout: 15_000 })
    .toEqual(['ada', 'eve']);
});

test('users delete their own account with its name and password', async ({ page, owner, service, context, lan, complaints }) => {
  await page.goto('/settings/account');
  await expect(page.getByRole('heading', { name: 'Username' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete account' })).toHaveCount(0);
  await signIn(context, await addUser(service, 'bob'), lan);
  await page.reload();
  await page.getByRole('button', { name: 'Delete account' }).click();
  const form = page.getByRole('dialog', { name: 'Delete your account?' });
  await form.getByLabel('To confirm, enter “bob”').fill('bob');
  await form.getByLabel('Current password').fill('not the password');
  await form.getByRole('button', { name: 'Delete account' }).click();
  await expect(form).toContainText('The current password is incorrect.');
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
  expect(await audit(page), 'deleting one’s account').toEqual([]);
  await form.getByLabel('Current password').fill(USER_PASSWORD);
  await form.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByText('Your account has been deleted')).toBeVisible();
  const { items } = await owner.client.call(listUsers, { query: { q: 'bob' } });
  expect(items.every(({ deletion }) => deletion !== null)).toBe(true);
});

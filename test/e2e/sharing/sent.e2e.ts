import { listSent } from '#api/sent.ts';
import { expect, signIn, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test('a private picture that is sent opens for its recipient at once, who is seen to have seen it, and is gone once it is taken back', async ({
  page,
  browser,
  lan,
  service,
  owner,
}) => {
  const carla = await addUser(service, 'carla');
  const { key } = await uploadImage(
    service,
    await owner.token('upload'),
    await photoJpeg({ seed: 1 }),
    { visibility: 'private' },
    'sea.jpg',
  );
  const context = await browser.newContext();
  await signIn(context, carla, lan);
  const hers = await context.newPage();
  await hers.goto(`${lan}/`);
  await expect(hers.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();

  await page.goto('/');
  await tiles(page).first().click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Send to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send 1 picture' });
  await dialog.getByRole('combobox', { name: 'To' }).click();
  await dialog.getByRole('option', { name: 'carla' }).click();
  await dialog.getByRole('textbox', { name: 'Message' }).fill('The harbour');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Sent 1 picture to carla');

  await expect(hers.getByRole('alert')).toContainText('ada sent you 1 picture');
  await hers.getByRole('alert').getByRole('link', { name: 'Show' }).click();
  await expect(hers.getByRole('main')).toContainText('The harbour');
  await hers.getByRole('button', { name: 'Open sea.jpg' }).click();
  const shown = hers.getByRole('dialog', { name: 'sea.jpg' }).locator('.yarl__slide_current img:not([data-placeholder])');
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect((await carla.fetch(`/i/${key}.jpg`)).status).toBe(200);

  await page.getByRole('alert').getByRole('link', { name: 'Show what you’ve sent' }).click();
  await expect(page.getByRole('list', { name: 'Who has seen it' })).toContainText('Seen');
  await page.getByRole('button', { name: 'Take back what you sent to carla' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByRole('main')).toContainText('You haven’t sent anything yet');
  await expect(hers.getByRole('main')).toContainText('Nothing has been sent to you');
  expect((await carla.fetch(`/i/${key}.jpg`)).status).toBe(404);
  expect((await carla.client.call(listSent, { query: { box: 'in' } })).items).toEqual([]);
  await context.close();
});

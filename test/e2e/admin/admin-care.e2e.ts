import { changeAdminSettings, getAdminSettings } from '#api/admin/settings.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

test('the page says that links start with an address that others can’t reach, and an admin changes it in one click', async ({
  page,
  owner,
  service,
  lan,
}) => {
  const { key } = await uploadImage(service, await owner.token('upload'), await photoJpeg());
  await page.addInitScript(() => {
    const tops = new Set<number>();
    Object.assign(window, { tops });
    const note = () => {
      const tile = document.querySelector('main a[href^="/s/"]');
      if (tile) tops.add(Math.round(tile.getBoundingClientRect().top));
      requestAnimationFrame(note);
    };
    note();
  });
  await page.goto('/');
  const banner = page.getByRole('region', { name: 'Different address' });
  await expect(banner).toContainText(`Your links use ${service.url}. Only the computer that runs Pixdock can open them.`);
  await expect(banner.getByRole('button', { name: 'Use this address' })).toBeVisible();
  expect(await page.evaluate(() => [...(window as unknown as { tops: Set<number> }).tops])).toHaveLength(1); // nothing moves below the pointer
  // Copying says so too.
  await tiles(page).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy links' }).click();
  await expect(page.getByText(`The link starts with ${service.url}, which only the computer that runs Pixdock can open.`)).toBeVisible();
  await page.keyboard.press('Escape');

  await banner.getByRole('button', { name: 'Use this address' }).click();
  const question = page.getByRole('dialog', { name: `Start links with ${lan}?` });
  await expect(question).toContainText(`Links you’ve already shared will keep working as long as ${service.url} points to this server`);
  expect(await audit(page)).toEqual([]);
  await question.getByRole('button', { name: 'Use this address' }).click();
  await expect(banner).toHaveCount(0);
  expect(await owner.client.call(getAdminSettings, {})).toMatchObject({ base_url: lan });
  expect((await fetch(`${service.url}/i/${key}.jpg`)).status).toBe(200);

  // An address that others may well reach can be kept.
  await owner.client.call(changeAdminSettings, { body: { base_url: 'https://pics.example.org' } });
  await page.reload();
  await expect(banner).toContainText('Your links use https://pics.example.org.');
  await banner.getByRole('button', { name: 'Keep current address' }).click();
  await page.reload();
  await expect(tiles(page)).toHaveCount(1);
  await expect(banner).toHaveCount(0);
});

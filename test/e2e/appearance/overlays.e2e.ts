import { createBackup } from '#api/admin/backup.ts';
import { createAlbum } from '#api/albums/albums.ts';
import { createInvite } from '#api/auth/invites.ts';
import { createWebhook } from '#api/webhooks.ts';
import { audit, COLOUR_RULES } from '#test/e2e/axe.ts';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { DESK, type Screen } from '#test/helpers/screen/screens.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

/** What to press, one after the other, to open each menu and dialog of a page. */
const OVERLAYS: Record<string, readonly (readonly string[])[]> = {
  '/': [
    ['More ways to upload'],
    ['More ways to upload', 'From a web address…'],
    ['Filter'],
    ['View'],
    ['Keyboard shortcuts'],
    ['Use this address'],
  ],
  '/albums': [
    ['Create album'],
    ['Share Trip'],
    ['More actions for Trip'],
    ['More actions for Trip', 'Edit name and description'],
    ['More actions for Trip', 'Delete album'],
  ],
  '/trash': [['Empty trash']],
  '/settings/account': [['Change: Username'], ['Change: Email'], ['Change: Password']],
  '/settings/tokens': [['Revoke a token that may full']],
  '/admin/users': [
    ['Create user'],
    ['Actions for mia'],
    ['Actions for mia', 'Edit'],
    ['Actions for mia', 'Reset password'],
    ['Actions for mia', 'Disable'],
  ],
  '/admin/groups': [['Create group']],
  '/admin/invites': [['Create invite'], ['Revoke Mia']],
  '/admin/policies': [['Create policy']],
  '/admin/webhooks': [['Create webhook'], ['Deliveries to example'], ['Actions for example'], ['Actions for example', 'Edit']],
};
const OVERLAY = '[role="dialog"], [role="menu"]';

test('every menu and dialog is free of accessibility violations in both themes', async ({ page, service, owner }) => {
  test.slow();
  const { client } = owner;
  await client.call(createAlbum, { body: { name: 'Trip' } });
  await client.call(createInvite, { body: { note: 'Mia' } });
  await client.call(createWebhook, { body: { name: 'example', url: 'https://hooks.example.org/', events: ['image.created'] } });
  const backup = await client.call(createBackup, {});
  await addUser(service, 'mia');
  const token = await owner.token('full');
  await uploadImage(service, token, await photoJpeg({ seed: 1 }), {}, 'kept.jpg');
  const { key } = await uploadImage(service, token, await photoJpeg({ seed: 2 }), {}, 'gone.jpg');
  await owner.fetch(`/api/v1/images/${key}`, { method: 'DELETE' });
  await page.setViewportSize(DESK);
  const found: string[] = [];
  const overlay = page.locator(OVERLAY);
  // Within the application: loading it again costs more than an audit.
  const go = (path: string) => page.evaluate((to) => history.pushState(null, '', to), path);
  let schemes: readonly Screen['colorScheme'][] = ['light', 'dark'];
  const inspect = async (steps: readonly string[]) => {
    await test.step(steps.join(' › '), async () => {
      for (const name of steps)
        await page
          .getByRole('button', { name, exact: true })
          .or(page.getByRole('menuitem', { name, exact: true }))
          .filter({ visible: true })
          .first()
          .click();
      await expect(overlay).toHaveCount(1);
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
        const problems = await audit(page, { within: OVERLAY, ...(colorScheme === 'dark' && { rules: COLOUR_RULES }) });
        found.push(...problems.map((problem) => `${steps.join(' › ')}, ${colorScheme}: ${problem}`));
      }
      schemes = schemes.toReversed(); // the next one opens in these colours
      await page.keyboard.press('Escape');
      await expect(overlay).toHaveCount(0);
    });
  };
  await page.goto('/');
  for (const [path, overlays] of Object.entries({ ...OVERLAYS, '/admin/backup': [[`Restore ${backup.name}`]] })) {
    await go(path);
    for (const steps of overlays) await inspect(steps);
  }
  await go('/');
  await page.getByRole('checkbox', { name: 'Select kept.jpg' }).click();
  for (const name of ['Add to album', 'Tags', 'Who can see it', 'Expiry']) await inspect([name]);
  expect(found).toEqual([]);
});

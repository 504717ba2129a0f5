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

test('a form shows each error once, at its field and in plain words', async ({ page, owner, complaints }) => {
  expect(owner.cookie).not.toBe('');
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Change: Username' }).click();
  await page.getByRole('textbox', { name: 'Username' }).fill('a b@');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveAccessibleDescription(/Spaces, slashes, @ and invisible characters/);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Create user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Username').fill('dora');
  await dialog.getByLabel('Email').fill('dora@example.org');
  await dialog.getByLabel('Password', { exact: true }).fill('short');
  await dialog.getByRole('button', { name: 'Create user' }).click();
  await expect(dialog.getByText('Enter at least 10 characters.')).toHaveCount(1);
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(dialog).not.toContainText('The field');
  expect(complaints.splice(0)).toHaveLength(2);
});

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN' });
  test('a form shows its errors in Chinese', async ({ page, owner, complaints }) => {
    expect(owner.cookie).not.toBe('');
    await page.goto('/admin/webhooks');
    await page.getByRole('button', { name: '新建 Webhook' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('名称').fill('chat');
    await dialog.getByLabel('URL').fill('nonsense');
    await dialog.getByRole('button', { name: '新建 Webhook' }).click();
    await expect(dialog.getByText('请输入以 http:// 或 https:// 开头的完整网址。')).toHaveCount(1);
    await expect(dialog).not.toContainText('获取图片');
    await page.goto('/settings/account');
    await page.getByRole('button', { name: /用户名/ }).click();
    await page.getByRole('textbox', { name: '用户名' }).fill('a b');
    await page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
    await expect(
      page.getByText('不能包含空格、斜杠、@ 或不可见字符，也不能混用不同文字的字母；拉丁字母可与中文、日文或韩文混用。'),
    ).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click();
    await page.getByRole('button', { name: /密码/ }).click();
    await page.getByLabel('当前密码').fill('wrong');
    await page.getByLabel('新密码').fill('short');
    await page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
    await expect(page.getByText('至少需要 10 个字符。')).toBeVisible();
    expect(complaints.splice(0)).toHaveLength(3);
  });

  test('built-in groups, policies and labels are named in Chinese', async ({ page, owner }) => {
    expect(owner.cookie).not.toBe('');
    await page.goto('/admin/groups');
    for (const name of [/^所有者/, /^用户 /, /^游客/]) await expect(page.getByRole('heading', { name })).toBeVisible();
    await page.goto('/admin/policies');
    await expect(page.getByRole('heading', { name: '本机' })).toBeVisible();
    await page.goto('/settings/tokens');
    await expect(page.getByRole('link', { name: 'API 令牌' })).toBeVisible();
    await page.goto('/settings/account');
    await page.getByRole('button', { name: /密码/ }).click();
    await expect(page.getByRole('button', { name: '显示密码' })).toHaveCount(2);
  });
});

import { expect, test } from '#test/e2e/web.ts';

test.use({ ownService: true });

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

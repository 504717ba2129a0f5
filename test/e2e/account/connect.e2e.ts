import { setTimeout as delay } from 'node:timers/promises';
import { pollDevice, requestDevice } from '#api/auth/devices.ts';
import { createClient } from '#api/client.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, test, typeSignIn } from '#test/e2e/web.ts';
import { OWNER, setUp } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

test('a signed-out user follows a device’s link, signs in, compares the code and approves', async ({ page, service, lan }) => {
  await setUp(service);
  const device = createClient({ baseUrl: service.url });
  const asked = Date.now();
  const { device_code, user_code, verify_url, interval } = await device.call(requestDevice, { body: { name: 'Desk computer' } });
  await page.goto(verify_url.replace(service.linkAddress, lan));
  await typeSignIn(page, OWNER.username, OWNER.password);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Let “Desk computer” upload for you?');
  await expect(page.getByText(user_code, { exact: true })).toBeVisible();
  await expect(page.getByRole('definition').first()).toHaveText(OWNER.username);
  await expect(page.getByText('127.0.0.1')).toBeVisible();
  expect(await audit(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('status')).toContainText('“Desk computer” is connected');
  // A device that asks more often is told to slow down.
  await delay(Math.max(0, asked + interval * 1000 - Date.now()));
  expect(await device.call(pollDevice, { body: { device_code } })).toMatchObject({ state: 'approved', username: OWNER.username });
  await page.getByRole('link', { name: 'Show API tokens' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Desk computer' })).toContainText('Upload only');
});

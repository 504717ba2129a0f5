import { setTimeout as delay } from 'node:timers/promises';
import { decideDeviceRequest, findDeviceRequest, pollDevice, requestDevice } from '#api/auth/devices.ts';
import { createClient } from '#api/client.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, test, typeSignIn } from '#test/e2e/web.ts';
import { OWNER, setUp } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

test('a signed-out user follows a device’s link, signs in, compares the code and approves', { tag: '@essential' }, async ({
  page,
  service,
  lan,
}) => {
  await setUp(service);
  const device = createClient({ baseUrl: service.url });
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
  await delay(interval * 1000); // a device that asks more often is told to slow down
  expect(await device.call(pollDevice, { body: { device_code } })).toMatchObject({ state: 'approved', username: OWNER.username });
  await page.getByRole('link', { name: 'Show API tokens' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Desk computer' })).toContainText('Upload only');
});

test('a terminal asks for full access, which the page says before it is approved, and notices when the code expires', async ({
  page,
  service,
  owner,
  lan,
  complaints,
}) => {
  const device = createClient({ baseUrl: service.url });
  const ask = () => device.call(requestDevice, { body: { name: 'pixdock (desk)', scope: 'full' } });
  const { device_code, verify_url, interval } = await ask();
  await page.goto(verify_url.replace(service.linkAddress, lan));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Let “pixdock (desk)” manage your pictures?');
  await expect(page.getByText('Full access', { exact: true })).toBeVisible();
  await expect(page.getByText('see, change and delete all your pictures')).toBeVisible();
  expect(await audit(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('status')).toContainText('is connected');
  await delay(interval * 1000);
  expect(await device.call(pollDevice, { body: { device_code } })).toMatchObject({ state: 'approved', scope: 'full' });

  const late = await ask();
  await page.clock.install();
  await page.goto(late.verify_url.replace(service.linkAddress, lan));
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
  await owner.client.call(decideDeviceRequest, { body: { user_code: late.user_code, decision: 'deny' } });
  await page.clock.fastForward('11:00');
  await expect(page.getByText('The code has expired. Get a new one on the device.')).toBeVisible();
  expect(complaints.splice(0)).toHaveLength(1); // the browser reports the 404
});

test('a request from another network is pointed out', async ({ page, service, owner, lan }) => {
  const { verify_url, user_code } = await createClient({ baseUrl: service.url }).call(requestDevice, {
    body: { name: 'laptop', scope: 'full' },
  });
  const link = verify_url.replace(service.linkAddress, lan);
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
  await expect(page.getByText('another network')).toBeHidden();
  // The browser and the device are on the same computer here.
  const found = await owner.client.call(findDeviceRequest, { body: { user_code } });
  const elsewhere = { ...found, address: '203.0.113.9', same_network: false };
  await page.route('**/api/v1/device/find', (route) => route.fulfill({ json: { status: true, message: 'ok', data: elsewhere } }));
  await page.reload();
  await expect(page.getByText('The request comes from another network')).toBeVisible();
  await expect(page.getByText('Its address is 203.0.113.9.')).toBeVisible();
  expect(await audit(page)).toEqual([]);
});

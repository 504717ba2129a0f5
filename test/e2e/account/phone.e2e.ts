import type { Browser, Page } from 'playwright/test';
import { encode } from 'uqr';
import { listTokens } from '#api/auth/tokens.ts';
import { audit } from '#test/e2e/axe.ts';
import { expectNoFaults } from '#test/e2e/layout.ts';
import { expect, test } from '#test/e2e/web.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Opens the settings, and returns the address that the QR code shown there contains. */
async function showCode(page: Page, lan: string, open: () => Promise<unknown> = () => page.goto('/settings/phone')): Promise<string> {
  const created = page.waitForResponse((response) => response.url().endsWith('/phone/codes'));
  await open();
  const { data } = (await (await created).json()) as { data: { code: string } };
  // Links start with an address that only this computer can open, so the code has the page's own.
  const address = `${lan}/phone#code=${data.code}`;
  const { data: squares } = encode(address, { ecc: 'M', border: 4 });
  const drawn = squares.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  await expect(page.getByRole('img', { name: `QR code with a one-time link to ${lan}` }).locator('path')).toHaveAttribute('d', drawn);
  return address;
}

async function openPhone(browser: Browser, userAgent: string): Promise<Page> {
  const context = await browser.newContext({ userAgent, viewport: { width: 390, height: 844 }, locale: 'en-GB', hasTouch: true });
  return context.newPage();
}

test('a phone scans the code, is approved on the computer, and uploads with what it is shown', async ({
  page,
  browser,
  lan,
  owner,
  service,
}) => {
  const address = await showCode(page, lan);
  expect(await audit(page)).toEqual([]);
  const phone = await openPhone(browser, IPHONE);
  await phone.goto(address);
  await expect(phone.getByLabel('Name of this phone')).toHaveValue('iPhone');
  expect(await audit(phone)).toEqual([]);
  await phone.getByRole('button', { name: 'Connect' }).click();
  const check = phone.getByText(/^[2-9A-Z]{4}$/);
  await expect(check).toBeVisible();
  await expectNoFaults(phone, 'while it waits');

  await expect(page.getByRole('heading', { name: 'Connect “iPhone”?' })).toBeVisible();
  await expect(page.getByText((await check.textContent()) ?? '', { exact: true })).toBeVisible();
  expect(await audit(page)).toEqual([]);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();

  await expect(phone.getByRole('heading', { name: 'This phone can upload for ada' })).toBeVisible();
  await expect(page.getByRole('heading', { name: '“iPhone” is connected' })).toBeVisible();
  expect(await audit(phone)).toEqual([]);
  await expect(phone.getByText('In the app Shortcuts,')).toBeVisible();
  await expect(phone.getByText('copyToClipboard')).toBeHidden();
  const header = (await phone.getByText(/^Bearer pxd_/).textContent()) ?? '';
  const uploadTo = (await phone.getByText(/\/api\/v1\/upload$/).textContent()) ?? '';
  expect(uploadTo).toBe(`${lan}/api/v1/upload`);

  // Phones load a page again after a visit to another app.
  await phone.reload();
  await expect(phone.getByText(header)).toBeVisible();
  await phone.getByRole('button', { name: 'Android' }).click();
  await expect(phone.getByText('copyToClipboard')).toBeVisible();
  expect(await audit(phone)).toEqual([]);
  await phone.getByRole('button', { name: 'Done' }).click();
  await expect(phone.getByRole('status')).toContainText('This phone is set up');
  await phone.reload();
  await expect(phone.getByRole('status')).toContainText('This phone is set up');
  await expect(phone.getByText(/pxd_/)).toBeHidden();
  expect(await phone.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('pxd_');

  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(tinyPng(5))]), 'IMG_1.PNG');
  const uploaded = await fetch(uploadTo.replace(lan, service.url), { method: 'POST', headers: { authorization: header }, body: form });
  expect(uploaded.status).toBe(200);
  await page.getByRole('link', { name: 'Show API tokens' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'iPhone' })).toContainText('Upload only');
  expect((await owner.client.call(listTokens, { query: {} })).items).toMatchObject([{ name: 'iPhone', scope: 'upload' }]);
  await phone.context().close();
});

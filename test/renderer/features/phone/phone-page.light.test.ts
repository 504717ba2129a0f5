import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { audit } from '#test/helpers/screen/audit.ts';
import { test } from '#test/helpers/screen/light.ts';

const asked = { state: 'asking', phone_code: 'secret', check_code: 'K7QM', interval: 1, expires_in: 300 } as const;
const outcome = (text: string) => expect.element(page.getByRole('status')).toMatchTextContent(text);

test('a code that is used, denied, expired or missing is explained on the phone', async ({ mount }) => {
  const { service, reopen } = await mount('/phone#code=first', {
    user: null,
    api: { 'POST /phone/requests': { state: 'used' }, 'POST /phone/token': { state: 'pending' } },
  });
  const connect = page.getByRole('button', { name: 'Connect' });
  await connect.click();
  await outcome('This code has been used');

  service.handle({ 'POST /phone/requests': asked });
  await reopen('/phone#code=second');
  await page.getByLabelText('Name of this phone').fill('Pixel 9');
  await connect.click();
  await expect.element(page.getByText('K7QM')).toBeVisible();
  expect(service.calls('POST /phone/requests').at(-1)).toMatchObject({ body: { code: 'second', name: 'Pixel 9' } });
  service.handle({ 'POST /phone/token': { state: 'denied' } });
  await outcome('This phone was denied');
  // Opened again, it stays denied.
  await reopen();
  await outcome('This phone was denied');

  await reopen('/phone');
  await outcome('This code isn’t valid any more');
  service.handle({ 'POST /phone/requests': { state: 'expired' } });
  await reopen('/phone#code=unknown');
  await connect.click();
  await outcome('This code isn’t valid any more');
  await audit('an expired code');
});

test('a phone offers the name of its system', async ({ mount }) => {
  const agent = vi.spyOn(navigator, 'userAgent', 'get');
  try {
    agent.mockReturnValue('Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile');
    await mount('/phone#code=first', { user: null });
    await expect.element(page.getByLabelText('Name of this phone')).toHaveValue('Android');
  } finally {
    agent.mockRestore();
  }
});

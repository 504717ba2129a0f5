import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { DeviceRequest } from '#api/auth/devices.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { audit } from '#test/helpers/screen/audit.ts';
import { refuse } from '#test/helpers/screen/service.ts';

const aRequest = (changes: Partial<DeviceRequest> = {}): DeviceRequest => ({
  name: 'pixdock (desk)',
  scope: 'full',
  user_code: 'K7QM-3XWD',
  address: '192.0.2.1',
  same_network: true,
  created_at: new Date().toISOString(),
  expires_at: new Date(Date.now() + 600_000).toISOString(),
  ...changes,
});

test('a device that asks for full access is shown as such before it is approved', async ({ mount }) => {
  const { service } = await mount('/connect#code=K7QM-3XWD', {
    api: { 'POST /device/find': aRequest(), 'POST /device/decision': {} },
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Let “pixdock (desk)” manage your pictures?');
  await expect.element(page.getByText('Full access', { exact: true })).toBeVisible();
  await expect.element(page.getByText('see, change and delete all your pictures')).toBeVisible();
  await expect.element(page.getByText('another network')).not.toBeInTheDocument();
  await audit('a device that asks for full access');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect.element(page.getByRole('status')).toMatchTextContent('is connected');
  expect(service.calls('POST /device/decision')).toMatchObject([{ body: { user_code: 'K7QM-3XWD', decision: 'approve' } }]);
});

test('an app that asks for what is sent to its user is shown as such', async ({ mount }) => {
  await mount('/connect#code=K7QM-3XWD', { api: { 'POST /device/find': aRequest({ name: 'Desk', scope: 'device' }) } });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Let “Desk” upload for you?');
  await expect.element(page.getByText('Upload, and what is sent to you', { exact: true })).toBeVisible();
  await expect.element(page.getByText('It can show you what others send you, with previews.')).toBeVisible();
  await audit('an app that asks for what is sent to its user');
});

test('a request from another network is pointed out', async ({ mount }) => {
  await mount('/connect#code=K7QM-3XWD', {
    api: { 'POST /device/find': aRequest({ same_network: false, address: '203.0.113.9' }) },
  });
  await expect.element(page.getByText('The request comes from another network')).toBeVisible();
  await expect.element(page.getByText('Its address is 203.0.113.9.')).toBeVisible();
  await audit('a request from another network');
});

test('a request that expires while the page shows it gives way to the form for another code', async ({ mount }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  try {
    const { service } = await mount('/connect#code=K7QM-3XWD', { api: { 'POST /device/find': aRequest() } });
    await expect.element(page.getByRole('button', { name: 'Approve' })).toBeVisible();
    service.handle({ 'POST /device/find': refuse('not_found') });
    vi.advanceTimersByTime(590_000);
    await expect.element(page.getByRole('button', { name: 'Approve' })).toBeVisible();
    expect(service.calls('POST /device/find')).toHaveLength(1);
    vi.advanceTimersByTime(10_000);
    await expect.element(page.getByText('The code has expired. Get a new one on the device.')).toBeVisible();
    await expect.element(page.getByRole('textbox', { name: 'Code' })).toHaveValue('K7QM-3XWD');
  } finally {
    vi.useRealTimers();
  }
});

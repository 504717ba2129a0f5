import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { copiedText } from '#test/helpers/screen/input.ts';

test('an album becomes public and its link is copied in one click; a password is set and removed', async ({ mount }) => {
  const album = anAlbum({ name: 'Coast' });
  const { library, service } = await mount(`/albums/${album.id}`, { albums: [album] });
  await page.getByRole('button', { name: 'Share Coast' }).click();
  const share = page.getByRole('dialog', { name: 'Share Coast' });
  await share.getByRole('button', { name: 'Make public and copy link' }).click();
  await expect.element(share.getByRole('button', { name: 'Copy link' })).toBeVisible();
  expect(await copiedText()).toBe(album.share_url);
  await share.getByRole('textbox', { name: 'Password' }).fill('open sesame');
  await share.getByRole('button', { name: 'Set password' }).click();
  await expect.element(share.getByText('A password is set')).toBeVisible();
  expect(library.albums).toMatchObject([{ visibility: 'public', has_password: true }]);
  expect(service.calls('PATCH /albums/:id').at(-1)?.body).toEqual({ access_password: 'open sesame' });
  await share.getByRole('button', { name: 'Remove password' }).click();
  await expect.element(share.getByText('A password is set')).not.toBeInTheDocument();
  expect(service.calls('PATCH /albums/:id').at(-1)?.body).toEqual({ access_password: null });
});

test('on a phone, the button that makes an album public shows its whole label', async ({ mount }) => {
  await page.viewport(360, 740);
  await mount('/albums', { albums: [anAlbum({ name: 'Coast' })] });
  await page.getByRole('button', { name: 'Share Coast' }).click();
  const words = page.getByRole('button', { name: 'Make public and copy link' }).getByText('Make public');
  await expect.element(words).toBeVisible();
  expect(words.element().scrollWidth - words.element().clientWidth).toBeLessThanOrEqual(0);
});

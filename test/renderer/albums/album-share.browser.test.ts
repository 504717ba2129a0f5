import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { copiedText } from '#test/helpers/screen/input.ts';
import { textsOf } from '#test/helpers/screen/locators.ts';

test('an album becomes public and its link is copied in one click; a password is set and removed', async ({ mount }) => {
  const album = anAlbum({ name: 'Coast' });
  const { library, service } = await mount(`/albums/${album.id}`, { albums: [album] });
  await page.getByRole('button', { name: 'Share Coast' }).click();
  const share = page.getByRole('dialog', { name: 'Share Coast' });
  await share.getByRole('button', { name: 'Share and copy link' }).click();
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

test('one sheet has the link, then people, request links, password and expiry', async ({ mount }) => {
  const album = anAlbum({ name: 'Coast', visibility: 'public' });
  await mount(`/albums/${album.id}`, { albums: [album] });
  await page.getByRole('button', { name: 'More actions for Coast' }).click();
  await expect.poll(textsOf(page.getByRole('menuitem'))).toEqual(['Edit name and description', 'Delete album']);
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Share Coast' }).click();
  const share = page.getByRole('dialog', { name: 'Share Coast' });
  await expect.element(share.getByRole('button', { name: 'Create request link' })).toBeVisible();
  await expect.element(share.getByRole('button', { name: 'Copy link' })).toHaveFocus();
  expect(textsOf(share.getByRole('heading', { level: 3 }))()).toEqual([
    'Link',
    'Members',
    'Ask for pictures',
    'Password, expiry and downloads',
  ]);
  await checkPage('sheet that shares an album');
});

test('a request link has the album’s name, and is copied when it is created', async ({ mount }) => {
  const album = anAlbum({ name: 'Coast' });
  const { service } = await mount(`/albums/${album.id}`, { albums: [album] });
  await page.getByRole('button', { name: 'Share Coast' }).click();
  await page.getByRole('button', { name: 'Create request link' }).click();
  const form = page.getByRole('dialog', { name: 'Create request link' });
  await expect.element(form.getByRole('textbox', { name: 'Title' })).toHaveValue('Coast');
  await form.getByRole('button', { name: 'Create request link' }).click();
  await expect.element(page.getByText('Request link created and copied')).toBeVisible();
  const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Coast', level: 4 }) });
  await expect.element(item.getByText('Only this computer can open it')).toBeVisible();
  await expect.element(item.getByRole('button', { name: 'QR code' })).toBeInViewport({ ratio: 1 });
  expect(service.calls('POST /albums/:id/requests').map(({ body }) => body.title)).toEqual(['Coast']);
  expect(await copiedText()).toMatch(/\/r\//);
  expect(page.getByRole('button', { name: 'Copy link: Coast' }).element().querySelector('.tabler-icon-link')).not.toBeNull();
});

test('on a phone, the button that makes an album public shows its whole label', async ({ mount }) => {
  await page.viewport(360, 740);
  await mount('/albums', { albums: [anAlbum({ name: 'Coast' })] });
  await page.getByRole('button', { name: 'Share Coast' }).click();
  const words = page.getByRole('button', { name: 'Share and copy link' }).getByText('Share and copy link');
  await expect.element(words).toBeVisible();
  expect(words.element().scrollWidth - words.element().clientWidth).toBeLessThanOrEqual(0);
});

import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { momentOf, nextNumber, pageOf } from '#test/helpers/screen/library.ts';
import type { Api } from '#test/helpers/screen/service.ts';

const REQUEST = 'requestlink00000000001';
const album = anAlbum({ name: 'Wedding', visibility: 'public' });

/** One request link, through which these pictures were sent in one go. */
const api = (keys: string[]): Api => ({
  'GET /albums/:id/requests': pageOf([
    {
      id: REQUEST,
      url: `${location.origin}/r/${REQUEST}`,
      album_id: album.id,
      own: true,
      title: 'Our wedding',
      message: '',
      show: 'none' as const,
      max_files: 1_000,
      max_bytes: 1_000_000_000,
      has_password: false,
      file_count: keys.length,
      byte_count: 1_000,
      state: 'open' as const,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      created_at: momentOf(nextNumber()),
    },
  ]),
  'GET /albums/:id/requests/:request/received': pageOf([
    {
      id: 'batch00000000000000001',
      request_id: REQUEST,
      album_id: album.id,
      title: 'Our wedding',
      from: 'Ann',
      keys,
      received_at: momentOf(nextNumber()),
      complete: true,
    },
  ]),
});

async function openReceived() {
  await page.getByRole('button', { name: 'Share Wedding' }).click();
  await page.getByRole('button', { name: 'More actions for Our wedding' }).click();
  await page.getByRole('menuitem', { name: 'Who sent what' }).click();
  return page.getByRole('dialog', { name: 'Who sent what: Our wedding' });
}

test('what was sent is approved in one click, and undone in another', async ({ mount }) => {
  const images = Array.from({ length: 4 }, (_, index) => anImage({ albums: [album.id], visibility: index === 0 ? 'public' : 'private' }));
  const { library } = await mount(`/albums/${album.id}`, { albums: [album], images, api: api(images.map(({ key }) => key)) });
  const visibilities = () => library.images.map(({ visibility }) => visibility);
  const received = await openReceived();
  await expect.element(received.getByText('Only you and the album’s members can open 3 of the pictures.')).toBeVisible();
  await checkPage('who sent what, with pictures to approve');
  const approve = received.getByRole('button', { name: 'Approve all' });
  await approve.click();
  await expect.poll(visibilities).toEqual(['public', 'public', 'public', 'public']);
  await expect.element(page.getByText(/can open these 3 pictures now/)).toBeVisible();
  await expect.element(approve).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(visibilities).toEqual(['public', 'private', 'private', 'private']);
  await expect.element(approve).toBeVisible();
});

test('pictures that couldn’t be approved are counted, and wait on', async ({ mount }) => {
  const images = Array.from({ length: 3 }, () => anImage({ albums: [album.id], visibility: 'private' }));
  const { service, library } = await mount(`/albums/${album.id}`, { albums: [album], images, api: api(images.map(({ key }) => key)) });
  const change = service.handlerOf('POST /images/batch');
  service.handle({
    'POST /images/batch': async (call) => {
      if (call.body.action !== 'visibility') return change(call);
      const [failed = '', ...keys] = call.body.keys ?? [];
      const outcome = await change({ ...call, body: { ...call.body, keys } });
      if (typeof outcome !== 'object' || !('results' in outcome)) return outcome;
      return { ...outcome, failed: 1, results: [{ key: failed, ok: false, code: 'not_found' as const }, ...outcome.results] };
    },
  });
  const received = await openReceived();
  await received.getByRole('button', { name: 'Approve all' }).click();
  await expect.element(page.getByText('Couldn’t update one picture')).toBeVisible();
  await expect.element(page.getByText(/can open these 2 pictures now/)).toBeVisible();
  expect(library.images.filter(({ visibility }) => visibility === 'private')).toHaveLength(1);
  await expect.element(received.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
});

import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { test } from '#test/helpers/screen/app.tsx';
import { anImage } from '#test/helpers/screen/images.ts';

test('a deletion link of a member says that the picture moves to its owner’s trash', async ({ mount }) => {
  const image = anImage();
  const { service } = await mount(`/delete/${image.key}/secret`, {
    user: null,
    api: {
      'GET /delete/:key/:secret': { ...image, thumbnail_url: null, permanent: false },
      'POST /delete/:key/:secret': {},
    },
  });
  await expect.element(page.getByText('owner’s trash')).toBeVisible();
  expect(service.calls('POST /delete/:key/:secret')).toEqual([]);
  await page.getByRole('button', { name: 'Delete picture' }).click();
  await expect.element(page.getByRole('heading', { name: 'Picture deleted' })).toBeVisible();
  expect(service.calls('POST /delete/:key/:secret')).toMatchObject([{ params: { key: image.key, secret: 'secret' } }]);
});

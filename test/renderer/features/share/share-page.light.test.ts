import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { anImage } from '#test/helpers/screen/images.ts';
import { test } from '#test/helpers/screen/light.ts';
import { refuse } from '#test/helpers/screen/service.ts';

test('a visitor sees a shared picture, and downloads it', async ({ mount, left }) => {
  const image = anImage({ name: 'harbour.jpg', title: 'The harbour' });
  await mount(`/s/${image.key}`, { user: null, api: { 'GET /s/:key': { ...image, password_required: false } } });
  await expect.element(page.getByRole('link', { name: 'Shared picture The harbour' })).toBeVisible();
  await expect.poll(() => (page.getByRole('img', { name: 'The harbour' }).query() as HTMLImageElement | null)?.naturalWidth).toBe(600);
  await page.getByRole('link', { name: 'Download' }).click();
  await expect.poll(() => left.splice(0)).toEqual([`/i/${image.key}.jpg?download=1`]);
});

test('a link that has expired says so, in the visitor’s language', async ({ mount }) => {
  await mount('/s/0600x0400999', { user: null, language: 'zh', api: { 'GET /s/:key': refuse('expired') } });
  await expect.element(page.getByRole('heading', { name: '图片已过期' })).toBeVisible();
});

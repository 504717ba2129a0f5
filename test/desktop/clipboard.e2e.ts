import { expect } from 'playwright/test';
import { pixels, png, test } from './fixtures.ts';

test('Upload clipboard turns a copied picture into a link that answers with the same pixels', async ({ desktop }) => {
  const picture = await png('#2a7fd4');
  await desktop.copyOutside('image/png', picture);
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/i\/[0-9A-Za-z]{12}\.png$/);
  const answer = await fetch(await desktop.clipboardText());
  expect(answer.status).toBe(200);
  expect(await pixels(await answer.arrayBuffer())).toEqual(await pixels(picture));
});

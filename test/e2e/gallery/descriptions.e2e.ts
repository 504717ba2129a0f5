import type { Locator, Page } from 'playwright/test';
import { getImage, type Image } from '#api/images/images.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { untilQuiet } from '#test/e2e/quiet.ts';
import { expect, forgetSession, test, tiles, typeSignIn } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { OWNER, uploadImage } from '#test/helpers/service/service.ts';

const viewer = (page: Page) => page.getByRole('dialog');

test('title, caption and alternative text are found, shown to visitors, and part of the links', async ({ page, service, owner }) => {
  const token = await owner.token('upload');
  const { key } = await uploadImage(service, token, await photoJpeg({ seed: 1 }), {}, 'IMG_0001.jpg');
  await uploadImage(service, token, await photoJpeg({ seed: 2 }), {}, 'IMG_0002.jpg');
  const clipboard = await openClipboard(page, service);
  const read = (): Promise<Image> => owner.client.call(getImage, { params: { key } });
  await page.goto(`/?picture=${key}`);
  await viewer(page).getByLabel('Title').fill('Harbour at dawn');
  await viewer(page).getByLabel('Title').press('Enter');
  await viewer(page).getByLabel('Caption').fill('Taken from the <old> pier & back');
  await viewer(page).getByLabel('Alternative text').fill('Boats in [fog]');
  await viewer(page).getByRole('heading', { name: 'Description' }).click();
  await expect.poll(read).toMatchObject({ title: 'Harbour at dawn', caption: 'Taken from the <old> pier & back', alt: 'Boats in [fog]' });
  const { links } = await read();
  expect(links.markdown).toBe(`![Boats in \\[fog\\]](${links.url})`);
  for (const [format, text] of [
    ['Markdown', links.markdown],
    ['HTML', links.html],
  ] as const) {
    await viewer(page)
      .getByRole('button', { name: `Copy ${format}`, exact: true })
      .click();
    expect(await clipboard.readText()).toBe(text);
  }
  expect(links.html).toContain('alt="Boats in [fog]"');

  for (const words of ['harb dawn', 'old pier', 'boats']) {
    await page.goto(`/?q=${encodeURIComponent(words)}`);
    await expect(page.getByText('1 picture')).toBeVisible();
    await expect(tiles(page)).toHaveAttribute('href', `/s/${key}`);
  }

  await forgetSession(page);
  const response = await page.goto(`/s/${key}`);
  await expect(page).toHaveTitle('Harbour at dawn · Pixdock');
  await expect(page.getByRole('heading', { name: 'Harbour at dawn' })).toBeVisible();
  await expect(page.getByText('Taken from the <old> pier & back')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Boats in [fog]' })).toBeVisible();
  const html = await response?.text();
  expect(html).toMatch(/<meta property="og:title" content="Harbour at dawn"/);
  expect(html).toMatch(/<meta property="og:description" content="Taken from the &lt;old&gt; pier &amp; back"/);
  expect(html).toMatch(/<meta property="og:image:alt" content="Boats in \[fog\]"/);
});

for (const [when, untilNoticed] of [
  ['while it is typed', (upload: () => Promise<unknown>) => upload()],
  ['before it is saved', (_upload: unknown, caption: Locator) => caption.blur()],
] as const)
  test(`a caption is kept through sign-in when the session ends elsewhere ${when}`, async ({ page, service, owner, complaints }) => {
    const token = await owner.token('upload');
    const { key } = await uploadImage(service, token, await photoJpeg({ seed: 1 }), {}, 'IMG_0001.jpg');
    const caption = viewer(page).getByLabel('Caption');
    await page.goto(`/?picture=${key}`);
    await caption.fill('Taken from the old pier');
    await untilQuiet(page);
    await page.context().clearCookies(); // as signing out in another tab does
    // The list follows it.
    await untilNoticed(async () => uploadImage(service, token, await photoJpeg({ seed: 2 }), {}, 'IMG_0002.jpg'), caption);
    await expect(page.getByText('Your session has expired')).toBeVisible();
    await typeSignIn(page, OWNER.username, OWNER.password);
    await expect(caption).toHaveValue('Taken from the old pier');
    await expect.poll(async () => (await owner.client.call(getImage, { params: { key } })).caption).toBe('Taken from the old pier');
    expect(complaints.splice(0).every((text) => text.includes('401'))).toBe(true);
  });

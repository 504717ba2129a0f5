import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { checkPage } from '#test/helpers/screen/audit.ts';
import type { anImage } from '#test/helpers/screen/images.ts';
import { dropFiles, paste, pictureFile } from '#test/helpers/screen/input.ts';
import { test } from '#test/helpers/screen/light.ts';
import { textsOf } from '#test/helpers/screen/locators.ts';
import { UNREACHABLE } from '#test/helpers/screen/service.ts';

const results = page.getByRole('region', { name: 'Your uploads' });
const status = results.getByRole('status');
const chooser = page.getByCss('input[type=file]').first();
type Stored = ReturnType<typeof anImage> & { reused: boolean };
const GUESTS = { user: null, config: { guest_upload_enabled: true } };

test('a guest drops, pastes and retries; what the limits rule out is refused before it is sent', async ({ mount }) => {
  const { service, library } = await mount('/upload', GUESTS);
  await expect.element(page.getByRole('heading', { name: 'Upload without an account' })).toBeVisible();
  await dropFiles([await pictureFile('quay.jpg')], {
    midway: async () => {
      await expect.element(page.getByTestId('drop-overlay')).toMatchTextContent('up to 9.5 MB each');
      await checkPage('guest upload, dragging');
    },
  });
  await expect.element(status).toHaveTextContent('1 picture uploaded');

  // The service is away: the upload can be cancelled, and sent again.
  const accept = service.handlerOf('POST /upload');
  const session = service.handlerOf('GET /auth/session');
  service.handle({ 'POST /upload': UNREACHABLE, 'GET /auth/session': UNREACHABLE });
  await paste(await pictureFile('image.png', { colour: 'navy' }));
  await results.getByRole('button', { name: /^Cancel Pasted/ }).click();
  service.handle({ 'POST /upload': accept, 'GET /auth/session': session });
  await results.getByRole('button', { name: /^Retry Pasted/ }).click();
  await expect.element(status).toHaveTextContent('2 pictures uploaded');

  const sent = service.calls('POST /upload').length;
  await chooser.upload(new File(['no picture'], 'notes.txt', { type: 'text/plain' }));
  const refused = results.getByRole('listitem').filter({ hasText: 'notes.txt' }).first();
  await expect.element(refused).toMatchTextContent('isn’t in a supported format');
  await expect.element(refused.getByRole('button', { name: /^Retry/ })).not.toBeInTheDocument();
  await refused.getByRole('button', { name: 'Remove notes.txt from the list' }).click();
  await expect.element(refused).not.toBeInTheDocument();
  expect(service.calls('POST /upload')).toHaveLength(sent);
  expect(library.images).toHaveLength(2);

  await page.getByRole('combobox', { name: 'Link format' }).selectOptions('Markdown');
  await expect.poll(() => textsOf(results.getByCss('code'))()[0]).toMatch(/^!\[.*\]\(.*\)$/);
  await results.getByRole('button', { name: 'Copy 2 links' }).click();
  await expect.element(page.getByText('2 links copied')).toBeVisible();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('an upload whose response is lost is sent again as the same one', async ({ mount }) => {
  const { service } = await mount('/upload', GUESTS);
  const accept = service.handlerOf('POST /upload');
  let stored: Stored | undefined;
  service.handle({
    'POST /upload': async (call) => {
      if (stored) return stored;
      stored = (await accept(call)) as Stored;
      return UNREACHABLE;
    },
  });
  await chooser.upload(await pictureFile('harbour.jpg'));
  await expect.element(status).toHaveTextContent('1 picture uploaded');
  const keys = service.calls('POST /upload').map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
});

test('where guest uploads are off, the page reports it, and sign-in doesn’t offer it', async ({ mount, left }) => {
  const { reopen } = await mount('/upload', { user: null });
  await expect.element(page.getByRole('heading', { name: 'Uploading without an account is turned off' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await expect.poll(() => left.splice(0)).toEqual(['/sign-in']);
  await reopen('/sign-in');
  await expect.element(page.getByLabelText('Username or email')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Upload without an account' })).not.toBeInTheDocument();
});

test('a guest’s choice of a format is kept in their browser', async ({ mount }) => {
  const { reopen } = await mount('/upload', GUESTS);
  await chooser.upload(await pictureFile('a.jpg'));
  const format = page.getByRole('combobox', { name: 'Format' });
  await format.selectOptions('Markdown');
  await expect.element(page.getByText(/^!\[a\.jpg\]/)).toBeVisible();
  await reopen();
  await chooser.upload(await pictureFile('a.jpg'));
  await expect.element(format).toHaveValue('markdown');
});

import { notifications } from '@mantine/notifications';
import { expect } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { CARLA } from '#test/helpers/screen/account.ts';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { copiedText, dropFiles, paste, pictureFile } from '#test/helpers/screen/input.ts';
import { textsOf, tiles } from '#test/helpers/screen/locators.ts';
import { type FakeService, refuse } from '#test/helpers/screen/service.ts';

const panel = page.getByRole('region', { name: 'Uploads' });
const rows = panel.getByRole('listitem');
const chooser = page.getByCss('input[type=file]').first();
const COLOURS = ['teal', 'navy', 'olive', 'maroon', 'purple', 'silver', 'lime'];
let colour = 0;
/** A picture like no other. */
const jpeg = (name: string) => pictureFile(name, { width: 60 + colour, colour: COLOURS[colour++ % COLOURS.length] ?? 'red' });
const empty = () => expect.element(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();

test('a pasted screenshot is uploaded under a name with its time', async ({ mount }) => {
  await mount('/');
  await empty();
  await paste(await pictureFile('shot.png'));
  await expect.element(tiles()).toHaveLength(1);
  await expect.element(tiles()).toHaveAccessibleName(expect.stringMatching(/Open Pasted .*\d\d\.\d\d\.png/));
});

test('the panel lists failures first and counts each picture once; hopeless files can’t be retried', async ({ mount }) => {
  const { service, library } = await mount('/');
  await empty();
  const accept = service.handlerOf('POST /upload');
  service.handle({
    'POST /upload': (call) => (call.file.name === 'broken.jpg' ? refuse('damaged_image') : accept(call)),
  });
  const good = [await jpeg('good-1.jpg'), await jpeg('good-2.jpg')] as const;
  await chooser.upload([good[0], await jpeg('broken.jpg'), new File(['no picture'], 'notes.txt', { type: 'text/plain' }), good[1]]);
  await expect.element(panel.getByRole('status')).toHaveTextContent('2 pictures uploaded');
  await expect.element(panel.getByText('2 uploads failed')).toBeVisible();
  const texts = textsOf(rows);
  await expect
    .poll(texts)
    .toEqual([
      expect.stringMatching(/broken\.jpg.*Refused: damaged_image/),
      expect.stringMatching(/notes\.txt.*Allowed formats: jpg/),
      expect.stringContaining('good-1.jpg'),
      expect.stringContaining('good-2.jpg'),
    ]);
  await expect.element(tiles()).toHaveLength(2);
  // Neither can succeed, so only removing them is offered.
  await expect.element(panel.getByRole('button', { name: /^Retry/ })).toHaveLength(0);
  await panel.getByRole('button', { name: 'Remove broken.jpg from the list' }).click();
  await expect.poll(texts).toHaveLength(3);

  await page.getByRole('button', { name: 'Close uploads' }).click();
  const fresh = await jpeg('fresh.jpg');
  const copy = new File([fresh], 'copy of fresh.jpg', { type: fresh.type });
  await chooser.upload([good[0], fresh, copy, good[1]]);
  await expect.element(panel.getByRole('status')).toHaveTextContent('1 new, 2 already uploaded');
  await expect.element(panel.getByText('1 file is a copy of another')).toBeVisible();
  await expect.element(rows.filter({ hasText: 'good-1.jpg' })).toMatchTextContent('Already uploaded');
  await expect.element(panel.getByRole('button', { name: 'Copy 3 links' })).toBeVisible();
  expect(library.images).toHaveLength(3);

  // A batch that the browser refuses whole stays as short as the window.
  await page.getByRole('button', { name: 'Close uploads' }).click();
  const files = new DataTransfer();
  for (let index = 0; index < 10_000; index += 1) files.items.add(new File(['text'], `${index}.txt`, { type: 'text/plain' }));
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true }));
  await expect.element(panel.getByRole('status')).toHaveTextContent('10000 uploads failed');
  expect(rows.elements().length).toBeLessThan(30);
});

test('each file shows its progress and speed, and can be cancelled individually', async ({ mount }) => {
  const { service, library } = await mount('/');
  await empty();
  const accept = service.handlerOf('POST /upload');
  let isSlow = true;
  let send: (part: number) => void = () => undefined;
  service.handle({
    'POST /upload': (call) => {
      if (call.file.name !== 'slow.jpg' || !isSlow) return accept(call);
      send = call.progress;
      return new Promise<never>(() => undefined);
    },
  });
  await chooser.upload([await jpeg('slow.jpg'), await jpeg('quick.jpg')]);
  const progress = page.getByRole('progressbar', { name: 'Upload progress for slow.jpg' });
  const slow = rows.filter({ hasText: 'slow.jpg' });
  let sent = 0;
  const sendMore = () => {
    sent = Math.min(sent + 0.01, 0.5);
    send(sent);
    return slow.element().textContent;
  };
  await expect.poll(sendMore).toMatch(/[1-9]\d?% · [1-9].*B\/s/);
  expect(Number(progress.element().getAttribute('aria-valuenow'))).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Cancel slow.jpg' }).click();
  await expect.element(slow).toMatchTextContent('Cancelled');
  await expect.element(panel.getByRole('status')).toHaveTextContent('1 picture uploaded');
  expect(service.calls('POST /upload').find(({ file }) => file.name === 'slow.jpg')?.signal.aborted).toBe(true);
  isSlow = false;
  await page.getByRole('button', { name: 'Retry slow.jpg' }).click();
  await expect.element(panel.getByRole('status')).toHaveTextContent('2 pictures uploaded');
  await expect.element(tiles()).toHaveLength(2);
  expect(library.images.map(({ name }) => name)).toEqual(['quick.jpg', 'slow.jpg']);
});

test('all links are copied together in the chosen format', async ({ mount }) => {
  await mount('/', { preferences: { link_format: 'markdown' } });
  await empty();
  await chooser.upload([await jpeg('a.jpg'), await jpeg('b.jpg')]);
  await expect.element(panel.getByRole('status')).toHaveTextContent('2 pictures uploaded');
  await page.getByRole('button', { name: 'Copy 2 links' }).click();
  await expect.element(page.getByText('2 links copied')).toBeVisible();
  expect(await copiedText()).toMatch(/^!\[.*a\.jpg\]\(http.*\)\n!\[.*b\.jpg\]\(http.*\)$/);
  // The links of a later upload are copied alone, or with the earlier ones.
  await chooser.upload([await jpeg('c.jpg')]);
  await expect.element(panel.getByRole('status')).toHaveTextContent('3 pictures uploaded');
  await panel.getByRole('button', { name: 'Copy latest link' }).click();
  await expect.poll(copiedText).toMatch(/^!\[.*c\.jpg\]\(http.*\)$/);
  await panel.getByRole('button', { name: 'Copy all 3 links' }).click();
  await expect.poll(async () => (await copiedText()).split('\n')).toHaveLength(3);
});

test('uploads on other pages go into no album; those started on the album page still do', async ({ mount }) => {
  const coast = anAlbum({ name: 'Coast' });
  const { library, service } = await mount(`/albums/${coast.id}`, { albums: [coast] });
  await expect.element(page.getByText('This album is empty')).toBeVisible();
  const gate = Promise.withResolvers<void>();
  service.hold('POST /upload', () => gate.promise);
  await chooser.upload([await jpeg('begun.jpg')]);
  await expect.element(panel.getByText('Upload to Coast')).toBeVisible();
  await page.getByRole('link', { name: 'Pictures', exact: true }).first().click();
  await empty();
  await chooser.upload([await jpeg('plain.jpg')]);
  await expect.element(panel.getByText('Upload to Coast')).not.toBeInTheDocument();
  await expect.element(rows.filter({ hasText: 'begun.jpg' })).toMatchTextContent('Coast');
  gate.resolve();
  await expect.element(panel.getByRole('status')).toHaveTextContent('2 pictures uploaded');
  expect(Object.fromEntries(library.images.map(({ name, albums }) => [name, albums]))).toEqual({
    'begun.jpg': [coast.id],
    'plain.jpg': [],
  });
});

test('a new browser copies links in the account’s format: the share page, a template, or another', async ({ mount }) => {
  const { library, reopen } = await mount('/settings/uploads');
  const choose = async (name: string) => {
    await page.getByRole('combobox', { name: 'Link format' }).click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  const copied = async () => {
    await reopen('/');
    await page.getByRole('checkbox', { name: 'Select harbour.jpg' }).click();
    await page.getByRole('button', { name: 'Copy links' }).click();
    await expect.element(page.getByText('Link copied')).toBeVisible();
    return copiedText();
  };
  await chooser.upload([await jpeg('harbour.jpg')]);
  await expect.element(panel.getByRole('status')).toHaveTextContent('1 picture uploaded');
  const share = library.images[0]?.links.share_url;
  await choose('BBCode');
  await expect.poll(() => library.preferences.link_format).toBe('bbcode');
  expect(await copied()).toMatch(/^\[img\]http.*\[\/img\]$/);
  await reopen('/settings/uploads');
  await choose('Share page');
  await expect.poll(() => library.preferences.link_format).toBe('share_page');
  expect(await copied()).toBe(share);
  await reopen('/settings/uploads');
  await choose('Custom');
  await page.getByRole('textbox', { name: 'Template' }).fill('{name} at {share_url}');
  await userEvent.tab();
  await expect.poll(() => library.preferences).toMatchObject({ link_format: 'custom', link_template: '{name} at {share_url}' });
  expect(await copied()).toBe(`harbour.jpg at ${share}`);
});

test('a format that can’t be saved is shown immediately, then reverted with a message', async ({ mount }) => {
  const held = Promise.withResolvers<void>();
  await mount('/settings/uploads', {
    api: {
      'PATCH /user/preferences': async () => {
        await held.promise;
        return refuse('unavailable');
      },
    },
  });
  const choice = page.getByRole('combobox', { name: 'Link format' });
  await expect.element(choice).toHaveValue('URL');
  await choice.click();
  await page.getByRole('option', { name: 'Markdown', exact: true }).click();
  await expect.element(choice).toHaveValue('Markdown');
  held.resolve();
  await expect.element(page.getByText('Refused: unavailable.')).toBeVisible();
  await expect.element(choice).toHaveValue('URL');
});

test('a file that the server has no room for is sent again only when the user asks for it', async ({ mount }) => {
  const { service } = await mount('/');
  await empty();
  const accept = service.handlerOf('POST /upload');
  service.handle({ 'POST /upload': refuse('storage_full', { retry: 'later' }) });
  await chooser.upload(await jpeg('harbour.jpg'));
  await expect.element(rows).toMatchTextContent(/harbour\.jpg.*Refused: storage_full/);
  expect(service.calls('POST /upload')).toHaveLength(1);
  service.handle({ 'POST /upload': accept });
  await panel.getByRole('button', { name: 'Retry harbour.jpg' }).click();
  await expect.element(tiles()).toHaveLength(1);
  expect(service.calls('POST /upload')).toHaveLength(2);
});

/** Refuses files for another account than the one that is signed in, as the service does. */
function checkAccount(service: FakeService, signedIn: () => number | undefined) {
  const accept = service.handlerOf('POST /upload');
  service.handle({ 'POST /upload': (call) => (call.query.as_user === signedIn() ? accept(call) : refuse('unauthorized')) });
}

test('files chosen after a sign-out elsewhere wait for the user, and are sent as nobody else', async ({ mount }) => {
  const { library, service } = await mount('/', { config: { guest_upload_enabled: true } });
  await empty();
  const user = library.signedIn();
  checkAccount(service, () => library.user?.id);
  service.handle({
    'POST /auth/login': () => {
      library.user = user;
      return { user, second_step: null };
    },
  });
  library.user = null;
  await chooser.upload(await jpeg('mine.jpg'));
  await expect.element(page.getByText('Your session has expired')).toMatchTextContent('1 upload is waiting.');
  expect(library.images).toEqual([]);
  await page.getByLabelText('Username or email').fill('ada');
  await page.getByLabelText('Password', { exact: true }).fill('right');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await panel.getByRole('button', { name: 'Retry failed uploads' }).click();
  await expect.element(tiles()).toHaveLength(1);
  expect(service.calls('POST /upload').map(({ query }) => query.as_user)).toEqual(service.calls('POST /upload').map(() => user.id));
});

test('after another tab signs in a different user, the page uploads nothing as them until they retry', async ({ mount }) => {
  const { library, service } = await mount('/');
  await empty();
  checkAccount(service, () => library.user?.id);
  library.user = CARLA;
  await chooser.upload(await jpeg('mine.jpg'));
  await expect.element(panel.getByRole('button', { name: 'Retry failed uploads' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: /carla/ })).toBeVisible();
  expect(library.images).toEqual([]);
  await panel.getByRole('button', { name: 'Retry failed uploads' }).click();
  await expect.element(tiles()).toHaveLength(1);
  expect(service.calls('POST /upload').at(-1)?.query.as_user).toBe(CARLA.id);
});

test('an album of another user takes no uploads at its gallery address', async ({ mount }) => {
  const { library } = await mount('/albums/album99999');
  await expect.element(page.getByRole('heading', { name: 'Album not found' })).toBeVisible();
  await dropFiles([await jpeg('dropped.jpg')], {
    midway: () => expect.element(page.getByText('Drop to upload', { exact: true })).toBeVisible(),
  });
  await expect.element(panel.getByRole('status')).toHaveTextContent('1 picture uploaded');
  expect(library.images).toMatchObject([{ name: 'dropped.jpg', albums: [] }]);
});

const moreWays = async (entry: string) => {
  await page.getByRole('button', { name: 'More ways to upload' }).first().click();
  await page.getByRole('menuitem', { name: entry }).click();
};

test('neither an address nor a format is offered where the server or the group doesn’t allow it', async ({ mount }) => {
  await mount('/', {
    config: { custom_addresses_enabled: false },
    limits: { allow_convert: false },
    browser: { askOptions: true },
  });
  await empty();
  await chooser.upload(await jpeg('one.jpg'));
  const dialog = page.getByRole('dialog', { name: 'Upload 1 picture' });
  await expect.element(dialog.getByLabelText('Tags')).toBeVisible();
  await expect.element(dialog.getByRole('combobox', { name: 'Format' })).not.toBeInTheDocument();
  await expect.element(dialog.getByRole('textbox', { name: 'Custom address' })).not.toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect.element(panel.getByRole('status')).toHaveTextContent('1 picture uploaded');
});

test('a pasted web address is offered for upload, each fault is explained, and a link to this site finds its picture', async ({
  mount,
}) => {
  const own = anImage({ name: 'own.jpg' });
  const { library, service } = await mount('/', { images: [own, anImage({ name: 'other.jpg' })] });
  await expect.element(tiles()).toHaveLength(2);
  const web = 'http://pictures.example';
  service.handle({
    'POST /upload/url': refuse('url_not_allowed'),
    'GET /images': ({ query: { q } }) => ({
      items: q === undefined ? library.images.toReversed() : library.images.filter(({ links }) => links.url === q),
      next_cursor: null,
    }),
  });
  await paste(`${web}/photo.jpg`);
  const offered = page.getByRole('dialog', { name: 'Upload the picture at this address?' });
  await expect.element(offered.getByLabelText('Address of the picture')).toHaveValue(`${web}/photo.jpg`);
  await checkPage('upload from a web address');
  await offered.getByRole('button', { name: 'Upload' }).click();
  await expect.element(rows.filter({ hasText: 'photo.jpg' })).toMatchTextContent('Refused: url_not_allowed.');
  await expect.element(panel.getByRole('button', { name: /^Retry/ })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Close uploads' }).click();

  service.handle({
    'POST /upload/url': ({ body: { url, visibility } }) => {
      const name = url.slice(web.length + 1);
      if (name === 'page.html') return refuse('ext_not_allowed');
      if (name === 'missing.jpg') return refuse('url_unreachable');
      const image = anImage({ name, ...(visibility && { visibility }) });
      library.images.push(image);
      return { ...image, reused: false };
    },
  });
  await moreWays('From a web address…');
  const typed = page.getByRole('dialog', { name: 'Upload from a web address' });
  const addresses = typed.getByLabelText('Address of the picture');
  await addresses.fill('photo.jpg');
  await typed.getByRole('button', { name: 'Upload' }).click();
  await expect.element(typed.getByText('complete web addresses, one per line')).toBeVisible();
  expect(service.calls('POST /upload/url')).toHaveLength(1);
  await addresses.fill(['photo.jpg', 'page.html', 'missing.jpg'].map((name) => `${web}/${name}`).join('\n'));
  await typed.getByRole('button', { name: 'Options…' }).click();
  await typed.getByText('Only you').click();
  await typed.getByRole('button', { name: 'Upload' }).click();
  await expect.element(panel.getByRole('status')).toHaveTextContent('1 picture uploaded');
  await expect
    .poll(textsOf(rows))
    .toEqual([
      expect.stringMatching(/page\.html.*doesn’t point to a supported picture/),
      expect.stringMatching(/missing\.jpg.*Refused: url_unreachable/),
      expect.stringContaining('photo.jpg'),
    ]);
  expect(library.images.at(-1)).toMatchObject({ name: 'photo.jpg', visibility: 'private' });

  await paste(own.links.url);
  await expect.poll(() => location.search).toContain('q=');
  await expect.poll(() => service.calls('GET /images').at(-1)?.query.q).toBe(own.links.url);
});

test('what is being sent is shown small, from the file itself, unless that is huge or nothing that browsers show', async ({ mount }) => {
  const { service } = await mount('/');
  await empty();
  const gate = Promise.withResolvers<void>();
  const accept = service.handlerOf('POST /upload');
  service.handle({
    'POST /upload': async (call) => {
      await gate.promise;
      return /photo|icon/.test(call.file.name) ? accept(call) : refuse('damaged_image');
    },
  });
  const { createObjectURL, revokeObjectURL } = URL;
  const open = new Set<string>();
  Object.assign(URL, {
    createObjectURL(blob: Blob) {
      const url = createObjectURL(blob);
      open.add(url);
      return url;
    },
    revokeObjectURL(url: string) {
      open.delete(url);
      revokeObjectURL(url);
    },
  });
  const huge = new File([await jpeg('huge.jpg'), new Uint8Array(20_000_000)], 'huge.jpg', { type: 'image/jpeg' });
  const icon = await pictureFile('icon.png', { width: 16, height: 16 });
  const files = [await jpeg('photo.jpg'), icon, new File(['<svg/>'], 'drawing.svg', { type: 'image/svg+xml' }), huge];
  await chooser.upload(files.slice(0, 3));
  await dropFiles([huge]);
  const preview = (name: string) => rows.filter({ hasText: name }).getByCss('img');
  await expect.element(preview('photo.jpg')).toBeVisible();
  await expect.element(preview('photo.jpg')).toHaveStyle({ objectFit: 'cover' });
  await expect.element(preview('icon.png')).toHaveStyle({ objectFit: 'scale-down' });
  await expect.element(rows.filter({ hasText: 'huge.jpg' })).toBeVisible();
  for (const name of ['drawing.svg', 'huge.jpg']) await expect.element(preview(name)).not.toBeInTheDocument();
  expect(open.size).toBe(2);
  await checkPage('previews of uploads');
  gate.resolve();
  await expect.element(preview('photo.jpg')).toHaveAttribute('src', expect.stringContaining('/t/'));
  await expect.poll(() => open.size).toBe(0);
  Object.assign(URL, { createObjectURL, revokeObjectURL });
});

test('notices stand beside the panel in windows of any width', async ({ mount }) => {
  await mount('/');
  await empty();
  await chooser.upload(await jpeg('one.jpg'));
  await expect.element(page.getByText('Link copied')).toBeVisible();
  const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
  for (const width of [660, 820, 1024, 1180, 1280]) {
    await page.viewport(width, 720);
    await expect
      .poll(() => box('.mantine-Notifications-root[data-position="bottom-center"]').right)
      .toBeLessThan(panel.element().getBoundingClientRect().left);
  }
});

test('on a phone, a message covers neither the panel nor what is selected nor the bars of the viewer', async ({ mount }) => {
  await page.viewport(390, 844);
  await mount('/', { images: [anImage({ name: 'sea.jpg' })] });
  await chooser.upload(await jpeg('boat.jpg'));
  await expect.element(panel.getByRole('button', { name: 'Copy link', exact: true })).toBeVisible();
  notifications.clean();
  notifications.show({ title: 'A message', message: 'in two lines', autoClose: false });
  const message = page.getByRole('alert').filter({ hasText: 'A message' });
  await expect.element(message).toBeVisible();
  const isCovered = (locator: Locator) => {
    const [one, other] = [message, locator.first()].map((each) => each.element().getBoundingClientRect());
    return one && other && one.bottom > other.top && one.top < other.bottom;
  };
  await expect.poll(() => isCovered(panel)).toBe(false);
  await userEvent.keyboard('{Control>}a{/Control}');
  const selecting = page.getByCss('header[data-selecting]');
  await expect.element(selecting).toBeVisible();
  await expect.poll(() => isCovered(selecting)).toBe(false);
  await userEvent.keyboard('{Escape}');
  await tiles().last().click();
  const viewer = page.getByRole('dialog', { name: 'sea.jpg' });
  for (const name of ['Close', 'More actions']) {
    const control = viewer.getByRole('button', { name, exact: true });
    await expect.element(control).toBeVisible();
    await expect.poll(() => isCovered(control)).toBe(false);
  }
  notifications.clean();
});

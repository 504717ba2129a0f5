import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { OpenPublicAlbum, PublicAlbumImage } from '#api/albums/albums.ts';
import type { Image } from '#api/images/images.ts';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage, followPictures } from '#test/helpers/screen/images.ts';
import { test } from '#test/helpers/screen/light.ts';
import { tiles } from '#test/helpers/screen/locators.ts';
import { type Api, refuse } from '#test/helpers/screen/service.ts';

const ID = 'album00001';

const asVisitorsSee = ({ links, key, name, title, alt, ext, width, height, kind, duration, has_audio }: Image): PublicAlbumImage => ({
  ...{ key, name, title, alt, ext, width, height, kind, duration, has_audio },
  url: links.url,
  thumbnail_url: links.thumbnail_url,
  share_url: links.share_url,
});

const anOpenAlbum = (images: readonly Image[], changes: Partial<OpenPublicAlbum> = {}): OpenPublicAlbum => ({
  id: ID,
  password_required: false,
  name: 'Harbour',
  description: '',
  image_count: images.length,
  limited_count: 0,
  expires_at: null,
  can_download: true,
  cover_url: images[0]?.links.thumbnail_url ?? null,
  created_at: new Date().toISOString(),
  ...changes,
});

/** A public album with these pictures, in pages. */
const albumOf = (images: readonly Image[]): Api => ({
  'GET /a/:id': anOpenAlbum(images),
  'GET /a/:id/images': ({ query: { cursor = '0', limit } }) => {
    const end = Number(cursor) + limit;
    return { items: images.slice(Number(cursor), end).map(asVisitorsSee), next_cursor: end < images.length ? String(end) : null };
  },
});

const viewer = page.getByRole('dialog');
test('only pictures that are shown are loaded whole, not those beside them, and an arrow key changes the picture', async ({ mount }) => {
  const [right, middle, other] = ['right.png', 'shown.png', 'left.png'].map((name, index) =>
    anImage({ name, ext: 'png', width: 300 + index, height: 200 }),
  ) as [Image, Image, Image];
  const images = [right, middle, other];
  const loaded = followPictures();
  /** Originals that have been loaded, each once. */
  const originals = () => new Set(loaded.flatMap((address) => /\/i\/(\w+)/.exec(address)?.[1] ?? []));
  await mount(`/a/${ID}`, { user: null, api: albumOf(images) });
  await page.getByRole('link', { name: /shown\.png/ }).click();
  const shown = viewer.getByRole('img', { name: 'shown.png' }).last();
  await expect.poll(() => (shown.query() as HTMLImageElement | null)?.complete).toBe(true);
  await expect.poll(() => loaded).toContainEqual(expect.stringContaining(`/t/${other.key}.webp`));
  expect(originals()).toEqual(new Set([middle.key]));
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(viewer.getByRole('heading', { name: 'left.png' })).toBeVisible();
  await expect.poll(originals).toContain(other.key);
});

test('a long album loads more as the visitor scrolls, to the end', async ({ mount }) => {
  const images = Array.from({ length: 230 }, (_, index) => anImage({ name: `row ${229 - index}.jpg`, width: 90, height: 60 }));
  const { service } = await mount(`/a/${ID}`, { user: null, api: albumOf(images) });
  await expect.element(page.getByText('230 pictures')).toBeVisible();
  await expect.element(tiles().first()).toBeVisible();
  const last = page.getByRole('link', { name: 'Open row 0.jpg' });
  await expect
    .poll(() => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      return last.query() !== null;
    })
    .toBe(true);
  await expect.element(last).toBeVisible();
  await expect.element(page.getByText('You’ve reached the end.')).toBeVisible();
  expect(tiles().elements().length).toBeLessThan(150);
  expect(service.calls('GET /a/:id/images').map(({ query }) => query.cursor)).toEqual([undefined, '100', '200']);
});

test('a protected album opens with its password; empty and unknown ones are explained', async ({ mount }) => {
  const { service, reopen } = await mount(`/a/${ID}`, {
    user: null,
    api: {
      ...albumOf([]),
      'GET /a/:id': { id: ID, password_required: true },
      'POST /a/:id/unlock': ({ body: { password } }) =>
        password === 'open sesame' ? anOpenAlbum([], { name: 'Hidden' }) : refuse('wrong_password'),
    },
  });
  const password = page.getByLabelText('Password', { exact: true });
  await password.fill('sesame');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('Refused: wrong_password.');
  await expect.element(page.getByText('Hidden')).not.toBeInTheDocument();
  await password.fill('open sesame');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect.element(page.getByRole('heading', { name: 'Hidden' })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'No pictures yet' })).toBeVisible();
  await checkPage('empty album');
  service.handle({ 'GET /a/:id': refuse('not_found') });
  await reopen('/a/abc');
  await expect.element(page.getByRole('heading', { name: 'Album not found' })).toBeVisible();
});

test('a visitor can’t paste or drop files into an album', async ({ mount }) => {
  const image = anImage();
  await mount(`/a/${ID}`, { user: null, api: albumOf([image]) });
  await expect.element(page.getByRole('heading', { name: 'Harbour' })).toBeVisible();
  const data = new DataTransfer();
  data.items.add(new File(['x'], 'pasted.jpg', { type: 'image/jpeg' }));
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  // A request to upload would be a fault: it has no handler.
  await expect.element(tiles()).toHaveLength(1);
  await expect.element(page.getByCss('input[type=file]')).not.toBeInTheDocument();
});

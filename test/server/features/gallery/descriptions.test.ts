import { afterAll, expect, it } from 'vitest';
import { listPublicAlbumImages } from '#api/albums/albums.ts';
import { updateImage } from '#api/images/changes.ts';
import { listImages } from '#api/images/images.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { dataOf, startSharing } from '#test/helpers/service/sharing.ts';

const sharing = await startSharing();
afterAll(() => sharing[Symbol.asyncDispose]());
const { service, bea, cleo, url } = sharing;
const change = (key: string, body: object, who = bea) => who.client.call(updateImage, { params: { key }, body });
const found = async (q: string) => (await bea.client.call(listImages, { query: { q } })).items.map(({ key }) => key);

it('takes texts with an upload, cleans them, and changes or removes them later', async () => {
  const sent = { title: ' The\nharbour ', caption: 'First line\r\nsecond\u0007\n\n\n\nthird', alt: 'Boats\u202e\tat\ndawn' };
  const uploaded = await sharing.upload(sent);
  expect(uploaded).toMatchObject({ title: 'The harbour', caption: 'First line\nsecond\n\nthird', alt: 'Boats at dawn', reused: false });
  expect(await sharing.upload()).toMatchObject({ title: '', caption: '', alt: '' });
  expect(await change(uploaded.key, { title: '', alt: null })).toMatchObject({
    title: '',
    alt: '',
    caption: 'First line\nsecond\n\nthird',
  });
  await expect(change(uploaded.key, { title: 'x' }, cleo)).rejects.toMatchObject({ code: 'not_found' });
  for (const body of [{ title: 'x'.repeat(201) }, { caption: 'x'.repeat(2001) }, { alt: 'x'.repeat(1001) }, { alt: 7 }])
    await expect(change(uploaded.key, body)).rejects.toMatchObject({ code: 'invalid_request' });
});

it('is not a repeat when it describes the same picture differently', async () => {
  const bytes = await photoJpeg({ seed: 4711, width: 40, height: 30 });
  const token = await bea.token('full');
  const upload = (fields?: Record<string, string>) => uploadImage(service, token, bytes, fields);
  const first = await upload({ title: 'Harbour' });
  expect(await upload()).toMatchObject({ key: first.key, reused: true, title: 'Harbour' });
  expect(await upload({ title: 'Harbour' })).toMatchObject({ key: first.key, reused: true });
  expect(await upload({ title: 'Dawn' })).toMatchObject({ reused: false, title: 'Dawn' });
});

it('finds pictures by each text, and forgets removed ones', async () => {
  const { key } = await sharing.upload({ title: 'Leuchtturmwärter', caption: '清晨的渔船\nand nets', alt: 'zebra crossing' });
  for (const q of ['turmwarter', '渔船', 'nets', 'zebra', 'zebra 清晨']) expect(await found(q), q).toEqual([key]);
  await change(key, { alt: '' });
  expect(await found('zebra')).toEqual([]);
});

it('writes the alternative text into Markdown and HTML so that it stays text', async () => {
  const alt = 'a "quoted" <b> & [link](x) *star* `code` | ~ \\ end';
  const { key, links } = await sharing.upload({ alt, title: 'Harbour' });
  expect(links.html).toBe(`<img src="${links.url}" alt="a &quot;quoted&quot; &lt;b&gt; &amp; [link](x) *star* \`code\` | ~ \\ end">`);
  expect(links.markdown).toBe(`![a "quoted" \\<b\\> \\& \\[link\\](x) \\*star\\* \\\`code\\\` \\| \\~ \\\\ end](${links.url})`);
  const untold = await change(key, { alt: '' });
  expect(untold.links.markdown).toBe(`![Harbour](${links.url})`);
  // The text of a link to the share page names the picture; it doesn't stand in for it.
  const limited = await change(key, { alt: 'boats', max_views: 3 });
  expect(limited.links.html).toBe(`<a href="${links.share_url}">Harbour</a>`);
  const unnamed = await change(key, { title: '', alt: '', max_views: 0 });
  expect(unnamed.links.html).toBe(`<img src="${links.url}" alt="photo.jpg">`);
});

it('shows them on the share page, in previews and in public albums, unless the picture is locked', async () => {
  const texts = { title: 'Harbour & "dawn"', caption: 'Two boats\n<script>', alt: 'Boats' };
  const album = await dataOf(await bea.fetch('/api/v1/albums', jsonPost({ name: 'Sea', visibility: 'public' })));
  const { key } = await sharing.upload({ ...texts, album_id: String(album.id) });
  const share = () => fetch(`${url}/api/v1/s/${key}`).then(dataOf);
  expect(await share()).toMatchObject(texts);
  const page = async () => (await fetch(`${url}/s/${key}`)).text();
  expect(await page()).toContain('property="og:title" content="Harbour &amp; &quot;dawn&quot;"');
  expect(await page()).toContain('property="og:description" content="Two boats &lt;script&gt;"');
  expect(await page()).toContain('property="og:image:alt" content="Boats"');
  const { items } = await cleo.client.call(listPublicAlbumImages, { params: { id: String(album.id) } as never, query: {} });
  expect(items).toMatchObject([{ key, title: texts.title, alt: 'Boats' }]);
  await change(key, { access_password: 'secret' });
  expect(await share()).toEqual({ key, password_required: true });
  expect(await page()).not.toContain('Two boats');
});

function jsonPost(body: object): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

import { thumbHashToAverageRGBA } from 'thumbhash';
import { afterAll, expect, it } from 'vitest';
import { createAlbum } from '#api/albums/albums.ts';
import { createClient } from '#api/client.ts';
import { getImage, type Image } from '#api/images/images.ts';
import { serviceJobs } from '#server/boot/jobs.ts';
import { createToken } from '#server/core/accounts/tokens.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import { createScheduler } from '#server/platform/jobs/scheduler.ts';
import { animatedAvif } from '#test/helpers/pictures/avif-sequence.ts';
import { animatedGif, animatedWebp, photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { apng } from '#test/helpers/pictures/private-metadata.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const opened = await openTestContext(temporaryFolder(afterAll));
afterAll(() => opened.close());
const owner = await createOwner(opened.context.db.as('job'), { username: 'ada', email: null, password: null });
const { secret: token } = await createToken(opened.context.db.as('job'), owner.id, { name: 'test', scope: 'full', expiresIn: 0 });

let seed = 1;
const upload = async (fields: Record<string, string> = {}) =>
  uploadImage(opened, token, await photoJpeg({ width: 60, height: 40, seed: seed++ }), fields);
const placeholderOf = async ({ key }: Pick<Image, 'key'>) =>
  (await createClient({ baseUrl: opened.url, token }).call(getImage, { params: { key } })).thumbhash;

async function runJob() {
  const { context } = opened;
  await createScheduler(serviceJobs(context), context.log).run('make placeholders');
}

it('is made with the first thumbnail, and stored with every image of the same bytes', async () => {
  const image = await upload();
  expect(image.thumbhash).toBeNull();
  const response = await fetch(`${opened.url}/t/${image.key}.jpg`);
  expect(response.status).toBe(200);
  await response.arrayBuffer();
  await opened.context.thumbnails.settled();
  await opened.context.placeholders.flush();
  const thumbhash = (await placeholderOf(image)) as string;
  const { r, g, b, a } = thumbHashToAverageRGBA(Buffer.from(thumbhash, 'base64'));
  for (const channel of [r, g, b]) expect(Math.abs(channel - 0.5)).toBeLessThan(0.1);
  expect(a).toBe(1);
});

it('is made later for images without one, and given up for those whose bytes are lost', async () => {
  const images = [await upload(), await upload({ access_password: 'secret word' })];
  const [lost] = await addImageRows(opened.context.db, 1, 1, () => ({}));
  await runJob();
  for (const image of images) expect(await placeholderOf(image)).toMatch(/^[A-Za-z0-9+/]{20,}=*$/);
  expect(await placeholderOf({ key: lost as string })).toBeNull();
  const { context } = opened;
  const left = context.db.read.selectFrom('images').select('id').where('thumbhash', 'is', null);
  expect(await left.execute()).toEqual([]);
});

it('is forgotten when the bytes of an image are replaced', async () => {
  const image = await upload();
  await runJob();
  await opened.context.db.as('job').write((queries) =>
    queries
      .updateTable('images')
      .set({ sha256: 'ab'.repeat(32) })
      .where('key', '=', image.key)
      .execute(),
  );
  expect(await placeholderOf(image)).toBeNull();
});

it('is never shown to others, whatever protects the image', async () => {
  const client = createClient({ baseUrl: opened.url, token });
  const album = await client.call(createAlbum, { body: { name: 'open', visibility: 'public' } });
  const image = await upload({ album_id: album.id });
  const locked = await upload({ access_password: 'secret word', album_id: album.id });
  await runJob();
  for (const path of [`s/${image.key}`, `s/${locked.key}`, `a/${album.id}`, `a/${album.id}/images`]) {
    const response = await fetch(`${opened.url}/api/v1/${path}`);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toContain('thumbhash');
    for (const each of [image, locked]) expect(text).not.toContain((await placeholderOf(each)) as string);
  }
  expect(await placeholderOf(locked)).not.toBeNull();
});

it.each([
  ['gif', animatedGif, true],
  ['webp', animatedWebp, true],
  ['avif', animatedAvif, true],
  ['png', apng, true],
  ['gif', () => animatedGif({ frames: 1 }), false],
  ['png', png, false],
] as const)('whether a %s moves is known from its upload', async (ext, make, animated) => {
  expect((await uploadImage(opened, token, await make(), {}, `moving.${ext}`)).animated).toBe(animated);
});

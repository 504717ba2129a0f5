import { expect, it, onTestFinished } from 'vitest';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';

it('waits for views that are already being stored', async () => {
  const service = await openTestContext();
  onTestFinished(() => service.close());
  const { db, views, setupCode } = service.context;
  const owner = await setUp({ url: service.url, setupCode });
  const { key, links } = await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 1 }));
  await (await fetch(links.url)).arrayBuffer();
  const begun = views.flush();
  await views.flush();
  const image = await db.read.selectFrom('images').select('views').where('key', '=', key).executeTakeFirstOrThrow();
  expect(image.views).toBe(1);
  await begun;
});

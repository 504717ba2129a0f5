import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { Upload } from '#api/desktop/uploads.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { NO_UPLOADS } from '#test/helpers/screen/bridge.ts';

test('the app’s uploads follow its queue: those that wait are cancelled and resumed', async ({ mount }) => {
  let waiting: Upload[] = [1, 2].map((n) => ({ id: `id-${n}`, name: `holiday ${n}.png`, state: 'queued', origin: 'app', addedAt: n }));
  let isPaused = true;
  const status = () => ({ ...NO_UPLOADS, queued: waiting.length, isPaused });
  const { desktop } = await mount('/uploads', {
    desktop: {
      getUploadStatus: status,
      getUploads: ({ section }) => ({ items: section === 'open' ? waiting : [], total: waiting.length }),
      changeUploads: (action, ids) => {
        if (action === 'discard') waiting = waiting.filter(({ id }) => !ids.includes(id));
        desktop.emit('uploadStatus', status());
        return undefined;
      },
      pauseUploads: (paused) => {
        isPaused = paused;
        desktop.emit('uploadStatus', status());
        return undefined;
      },
    },
  });
  await expect.element(page.getByRole('status')).toHaveTextContent('Uploads are paused');
  const list = page.getByRole('region', { name: /Waiting and in progress/ });
  await expect.element(list.getByRole('listitem')).toHaveLength(2);
  await page.getByRole('button', { name: 'Cancel holiday 2.png' }).click();
  await expect.element(list.getByRole('listitem')).toHaveLength(1);
  await page.getByRole('button', { name: 'Resume all', exact: true }).click();
  await expect.element(page.getByRole('status')).toHaveTextContent('Uploading 1 picture');
  waiting = [];
  desktop.emit('uploadStatus', { ...NO_UPLOADS, done: 1 });
  await expect.element(page.getByRole('status')).toHaveTextContent('All uploads are done');
});

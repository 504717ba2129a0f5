import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { Upload } from '#api/desktop/uploads.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { NO_UPLOADS } from '#test/helpers/screen/bridge.ts';
import '#test/helpers/screen/locators.ts';

test('the picture of a draft shows what is drawn on it', async ({ mount }) => {
  const canvas = new OffscreenCanvas(600, 400);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, 600, 400);
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  const marks = JSON.stringify({ marks: [{ id: 1, kind: 'cover', x: 0, y: 0, width: 300, height: 400, colour: '#2f9e44' }] });
  const draft: Upload = { id: 'id', name: 'capture.png', state: 'draft', origin: 'app', addedAt: 1, isMarked: true };
  await mount('/uploads', {
    desktop: {
      getUploadStatus: () => ({ ...NO_UPLOADS, drafts: 1 }),
      getUploads: ({ section }) => (section === 'draft' ? { items: [draft], total: 1 } : { items: [], total: 0 }),
      getDraftThumbnail: () => ({ bytes, marks }),
    },
  });
  const picture = page.getByCss('li[data-state=draft] img');
  await expect.element(picture).toBeVisible();
  await (picture.element() as HTMLImageElement).decode();
  const shown = new OffscreenCanvas(180, 120);
  const pixels = shown.getContext('2d') as OffscreenCanvasRenderingContext2D;
  pixels.drawImage(picture.element() as HTMLImageElement, 0, 0);
  const [, green, blue] = pixels.getImageData(30, 60, 1, 1).data;
  expect([green, blue].map((value) => Math.round((value ?? 0) / 20))).toEqual([8, 3]);
  expect(Math.min(...pixels.getImageData(150, 60, 1, 1).data)).toBeGreaterThan(250);
});

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

import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Desktop } from './driver.ts';
import { expect, test } from './fixtures.ts';

const COLOURS = ['#103050', '#507090', '#90b0d0'];

test('the Uploads page shows what waits, has failed and is done, and pauses, retries and cancels', async ({ desktop, image, folder }) => {
  const { page } = desktop;
  await expect(page.getByRole('navigation')).toBeVisible();
  await desktop.press('Pause uploads');
  await expect.poll(() => desktop.labels()).toContain('Uploads are paused');
  const files = await Promise.all(COLOURS.map((colour, index) => image(`holiday ${index + 1}.png`, colour)));
  await desktop.choose(...files, `${folder}/missing.png`);
  await desktop.press('Upload files…');
  await expect.poll(() => desktop.labels()).toContain('Uploads are paused (4 left)');
  await desktop.press('Show uploads…');
  const waiting = page.getByRole('region', { name: /Waiting and in progress/ });
  await expect(waiting.getByRole('listitem')).toHaveCount(4);
  await expect(page.getByRole('status')).toHaveText('Uploads are paused');

  await page.getByRole('button', { name: 'Cancel holiday 3.png' }).click();
  await expect(waiting.getByRole('listitem')).toHaveCount(3);
  await page.getByRole('button', { name: 'Resume all', exact: true }).click();
  const done = page.getByRole('region', { name: /^Done/ });
  await expect(done.getByRole('listitem')).toHaveCount(2);
  await expect(done.getByText('holiday 3.png')).toHaveCount(0);
  const failed = page.getByRole('region', { name: /^Failed/ });
  await expect(failed.getByText('The file no longer exists.')).toBeVisible();
  await image('missing.png', '#abc');
  await failed.getByRole('button', { name: 'Retry missing.png' }).click();
  await expect(done.getByRole('listitem')).toHaveCount(3);
  await expect(failed).toHaveCount(0);
  await expect(page.getByRole('status')).toHaveText('All uploads are done');
  await done.getByRole('button', { name: 'Copy link to holiday 1.png' }).click();
  await expect.poll(() => desktop.clipboardText()).toMatch(/\/i\/[0-9A-Za-z]{12}\.png$/);
});

test('files dropped on the window go through the app’s queue, and wait while the service is away', async ({ desktop, image }) => {
  test.skip(process.platform === 'win32', 'stops a process by a signal, which Windows does not have');
  const { page } = desktop;
  await expect(page.getByRole('navigation')).toBeVisible();
  await desktop.press('Pause uploads');
  await desktop.drop([await image('left.png', '#f00'), await image('right.png', '#00f')]);
  await page.getByRole('link', { name: 'Show uploads' }).click();
  await expect(page.getByRole('region', { name: /Waiting and in progress/ }).getByRole('listitem')).toHaveCount(2);
  // Another program takes the service's port, so that it can't come back.
  const port = Number(new URL(page.url()).port);
  process.kill((await desktop.servicePid()) as number, 'SIGKILL');
  const other = await takePort(port);
  await expect.poll(() => desktop.labels()).toContain('Pixdock isn’t running: another program is using its port');
  await desktop.press('Resume uploads');
  await expect.poll(() => desktop.labels()).toContain('2 uploads are waiting');
  await delay(AWAY_MS);
  expect(await desktop.labels()).toContain('2 uploads are waiting');
  other.close();
  // The app tries again without being asked, too; the entry isn't there meanwhile, and pressing it waits 15 seconds.
  await expect(async () => {
    if ((await desktop.labels()).includes('Try again')) await desktop.press('Try again');
    expect((await desktop.clipboardText()).split('\n')).toHaveLength(2);
  }).toPass({ timeout: 90_000 });
  expect(await desktop.labels()).not.toContain('1 upload failed');
});

/** How long the service is away, in milliseconds. */
const AWAY_MS = Number(process.env.PIXDOCK_TEST_AWAY_MS ?? 0);

/** Listens on a port as soon as it is free. */
async function takePort(port: number): Promise<Server> {
  for (;;) {
    const server = createServer((socket) => socket.destroy());
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

const KILLS = 5;
const FILES = Number(process.env.PIXDOCK_TEST_QUEUE_FILES ?? 20);

/** Gives files to the app's queue through the page, with options. */
async function handOver({ page }: Desktop, files: readonly string[], fields: Record<string, string>) {
  await page.evaluate(() => {
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true, id: 'handover' });
    document.body.append(input);
  });
  await page.setInputFiles('#handover', [...files]);
  await page.evaluate(async (fields) => {
    const input = document.getElementById('handover') as HTMLInputElement;
    await window.pixdock?.uploadFiles([...(input.files ?? [])], { fields });
  }, fields);
}

test('files arrive exactly once, with and without limits, however often the app is killed', async ({ launch, image }) => {
  test.skip(process.platform === 'win32', 'stops a process by a signal, which Windows does not have');
  const names = Array.from({ length: FILES }, (_, index) => `${index}.png`);
  const files = await Promise.all(names.map((name, index) => image(name, `rgb(${index}, ${255 - index}, 99)`)));
  let desktop = await launch();
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  await desktop.page.evaluate(() => window.pixdock?.pauseUploads(true));
  const half = Math.floor(FILES / 2);
  await desktop.choose(...files.slice(0, half));
  await desktop.press('Upload files…');
  await handOver(desktop, files.slice(half), { expires_in: '3600', max_views: '5' });
  await expect.poll(() => desktop.labels()).toContain(`Uploads are paused (${FILES} left)`);
  await desktop.press('Resume uploads');
  const finished = () => desktop.page.evaluate(async () => (await window.pixdock?.getUploadStatus())?.done ?? 0);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const enough = Math.floor((FILES * kill) / (KILLS + 1));
    await expect.poll(finished, { intervals: [20] }).toBeGreaterThanOrEqual(enough);
    await desktop.crash();
    desktop = await launch();
    await expect(desktop.page.getByRole('navigation')).toBeVisible();
  }
  await expect.poll(finished).toBe(FILES);
  const stored = await desktop.page.evaluate(async (limit) => {
    const response = await fetch(`/api/v1/images?limit=${limit}`);
    return ((await response.json()) as { data: { items: { name: string }[] } }).data.items.map(({ name }) => name);
  }, 100);
  expect(stored.sort()).toEqual(names.sort());
});

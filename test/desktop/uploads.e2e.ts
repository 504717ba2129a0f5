import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Desktop } from './driver.ts';
import { expect, pixels, png, test } from './fixtures.ts';

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/i\/[0-9A-Za-z]{12}\.png$/;

/** The links on the clipboard, once their number is as expected. */
async function links(desktop: Desktop, count: number): Promise<string[]> {
  await expect.poll(async () => (await desktop.clipboardText()).split('\n').filter((line) => LINK.test(line)).length).toBe(count);
  return (await desktop.clipboardText()).split('\n');
}

/** The tray's first recent upload. */
const newest = async (desktop: Desktop) => (await desktop.labels('Recent uploads'))[1];

async function served(link: string | undefined): Promise<Buffer> {
  const response = await fetch(link ?? '');
  expect(response.status).toBe(200);
  return pixels(await response.arrayBuffer());
}

test('Upload clipboard: the link serves the same pixels, and a click on the notification opens the share page', {
  tag: '@essential',
}, async ({ desktop }) => {
  await expect.poll(() => desktop.labels('Recent uploads')).toEqual(['No uploads yet']);
  const image = await png('#2a7fd4');
  await desktop.copyOutside('image/png', image);
  await desktop.press('Upload clipboard');
  const [link] = await links(desktop, 1);
  expect(await served(link)).toEqual(await pixels(image));
  await expect(desktop.page.getByRole('link', { name: /^Open clipboard-/ })).toBeVisible();
  await expect
    .poll(() => desktop.notifications())
    .toEqual([
      {
        title: 'Link copied',
        body: expect.stringMatching(/^clipboard-\d{8}-\d{6}-\d{3}\.png\nhttp:\S+\.png\nOnly this computer can open it$/),
      },
    ]);
  await desktop.chooseButton(1); // Linux has no buttons in notifications: a click asks
  await desktop.clickLastNotification();
  const key = /([0-9A-Za-z]{12})\.png$/.exec(link ?? '')?.[1];
  await expect.poll(() => desktop.opened()).toEqual([expect.stringMatching(new RegExp(`/s/${key}$`))]);
});

test('the viewer copies a picture', async ({ used: desktop, image }) => {
  const { page } = desktop;
  await expect(page.getByRole('navigation')).toBeVisible();
  await desktop.choose(await image('to copy.png', '#8d2'));
  await desktop.press('Upload files…');
  await page.getByRole('link', { name: 'Open to copy.png' }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy picture' }).click();
  await expect(page.getByText('Picture copied')).toBeVisible();
});

test('the clipboard keeps content copied in the meantime: the notification offers the link instead', async ({ used: desktop }) => {
  test.skip(process.platform === 'win32', 'stops a process by a signal, which Windows does not have');
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const service = (await desktop.servicePid()) ?? 0;
  process.kill(service, 'SIGSTOP');
  await desktop.copyOutside('image/png', await png('#31a'));
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.labels()).toContain('Uploading 1 picture…');
  await desktop.copyOutside('text/plain', 'a sentence copied since');
  process.kill(service, 'SIGCONT');
  await expect
    .poll(() => desktop.notifications())
    .toEqual([
      {
        title: 'Picture uploaded',
        body: expect.stringMatching(/^clipboard-.*\.png\nhttp:\S+\nOnly this computer can open it\nClick to copy/),
      },
    ]);
  expect(await desktop.clipboardText()).toBe('a sentence copied since');
  await desktop.clickLastNotification();
  const [link] = await links(desktop, 1);
  await served(link);
});

test('under Wayland, where a background app can’t read the clipboard, the desktop’s programs are used', async ({
  launch,
  folder,
  image,
}) => {
  test.skip(process.platform !== 'linux', 'Wayland is for Linux');
  const copied = await image('copied.png', '#5a5');
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'wl-paste'), `#!/bin/sh\ncase "$*" in --list-types) echo image/png ;; *) cat '${copied}' ;; esac\n`, {
    mode: 0o755,
  });
  await writeFile(join(bin, 'wl-copy'), `#!/bin/sh\ncat > '${folder}/links'\n`, { mode: 0o755 });
  const desktop = await launch({ env: { WAYLAND_DISPLAY: 'wayland-9', PATH: `${bin}:${process.env.PATH}` } });
  await desktop.press('Upload clipboard');
  await expect.poll(() => readFile(join(folder, 'links'), 'utf8').catch(() => '')).toMatch(LINK);
  expect(await served(await readFile(join(folder, 'links'), 'utf8'))).toEqual(await pixels(await readFile(copied)));
});

test('the global shortcut uploads the clipboard', async ({ used: desktop }) => {
  await desktop.copyOutside('image/png', await png('#123456'));
  await desktop.pressShortcut('CommandOrControl+Shift+U');
  await links(desktop, 1);
  await expect.poll(() => desktop.notifications()).toMatchObject([{ title: 'Link copied' }]);
});

test('a clipboard without a picture shows the reason each time and keeps its content', async ({ used: desktop }) => {
  const reason = { title: 'Nothing to upload', body: 'There’s no picture on the clipboard. Copy one and try again.' };
  await desktop.clearClipboard();
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.notifications()).toEqual([reason]);
  await desktop.copyOutside('text/plain', 'a sentence');
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.notifications()).toEqual([reason, reason]);
  expect(await desktop.clipboardText()).toBe('a sentence');
});

test('copied files are uploaded, including names with spaces and umlauts', async ({ used: desktop, image }) => {
  const files = [await image('first one.png', '#800'), await image('zweites Bild ä.png', '#080')];
  await desktop.copyOutside('text/uri-list', files.map((file) => pathToFileURL(file).href).join('\r\n'));
  await desktop.press('Upload clipboard');
  const copied = await links(desktop, 2);
  expect(await served(copied[0])).toEqual(await pixels(await readFile(files[0] ?? '')));
  expect(await served(copied[1])).toEqual(await pixels(await readFile(files[1] ?? '')));
  await expect.poll(() => desktop.labels('Recent uploads')).toEqual(expect.arrayContaining(['first one.png', 'zweites Bild ä.png']));
  await expect.poll(() => desktop.notifications()).toHaveLength(1);
});

test('bad files don’t stop the others, stay listed with their reason, and can be retried', async ({ used: desktop, folder, image }) => {
  const good = [await image('a.png', '#100'), await image('b.png', '#200')];
  const broken = join(folder, 'broken.png');
  await writeFile(broken, 'this is no picture');
  const missing = join(folder, 'missing.png');
  await desktop.choose(good[0] ?? '', broken, missing, good[1] ?? '');
  await desktop.press('Upload files…');
  await links(desktop, 2);
  await expect.poll(() => desktop.labels()).toContain('2 uploads failed');
  expect(await desktop.labels('2 uploads failed')).toEqual(['broken.png', 'missing.png', 'Retry all', 'Dismiss all']);
  expect((await desktop.labels('2 uploads failed', 'missing.png'))[0]).toBe('The file no longer exists.');
  // The first one at once, the other one with the end of the batch.
  const failures = async () =>
    (await desktop.notifications()).filter(({ title }) => title === 'Couldn’t upload a picture').map(({ body }) => body);
  await expect
    .poll(async () => (await failures()).sort())
    .toEqual([expect.stringMatching(/^broken\.png: .+/), 'missing.png: The file no longer exists.']);
  await expect.poll(() => desktop.toolTip()).toContain('2 uploads failed');

  await image('missing.png', '#300');
  await desktop.press('2 uploads failed', 'missing.png', 'Try again');
  await links(desktop, 1);
  await expect.poll(() => desktop.labels()).toContain('1 upload failed');
  const [label] = await desktop.labels('1 upload failed');
  await desktop.press('1 upload failed', label ?? '', 'Dismiss');
  await expect.poll(() => desktop.toolTip()).toBe('Pixdock');
});

test('the tray lists recent uploads; a click copies the link in the chosen format', async ({ used: desktop, image }) => {
  await desktop.choose(await image('harbour.png', '#048'));
  await desktop.press('Upload files…');
  const [link] = await links(desktop, 1);
  await expect.poll(() => newest(desktop)).toBe('harbour.png');
  await desktop.press('Link format', 'Markdown');
  await desktop.press('Recent uploads', 'harbour.png');
  await expect.poll(() => desktop.clipboardText()).toBe(`![harbour.png](${link})`);
  await desktop.press('Link format', 'URL');
});

test('pictures uploaded through the page are in the tray, too', async ({ used: desktop }) => {
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const status = await desktop.page.evaluate(
    async (base64) => {
      const form = new FormData();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      form.append('file', new Blob([bytes]), 'from-page.png');
      return (await fetch('/api/v1/upload', { method: 'POST', body: form })).status;
    },
    (await png('#555')).toString('base64'),
  );
  expect(status).toBe(200);
  await desktop.closeWindow();
  await expect.poll(() => newest(desktop)).toBe('from-page.png');
  await desktop.press('Open Pixdock');
  await expect.poll(() => desktop.windowVisible()).toBe(true);
});

test('files handed over by a page go through the app’s queue, which reports back to the page', async ({ used: desktop, image }) => {
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const path = await image('handed-over.png', '#abc');
  await desktop.page.evaluate(() => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', id: 'handover' });
    document.body.append(input);
  });
  await desktop.page.setInputFiles('#handover', path);
  await desktop.page.evaluate(
    async (base64) => {
      const input = document.getElementById('handover') as HTMLInputElement;
      const pasted = new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], 'pasted.png');
      await window.pixdock?.uploadFiles([...(input.files ?? []), pasted]);
    },
    (await png('#cba')).toString('base64'),
  );
  const done = async () => {
    const items = await desktop.page.evaluate(
      async () => (await window.pixdock?.getUploads({ section: 'done', limit: 50, offset: 0 }))?.items ?? [],
    );
    return items.map(({ name, state }) => `${name}: ${state}`);
  };
  await expect.poll(done).toEqual(expect.arrayContaining(['handed-over.png: done', 'pasted.png: done']));
  await links(desktop, 1);
});

test('a shortcut taken by another program is reported, and another one can be chosen', async ({ launch }) => {
  const desktop = await launch({ args: ['--taken-shortcut=CommandOrControl+Shift+U'] });
  await expect.poll(() => desktop.labels()).toContain('Shortcut CommandOrControl+Shift+U is already in use');
  expect(await desktop.notifications()).toEqual([
    { title: 'Pixdock', body: 'CommandOrControl+Shift+U is already in use. Choose another shortcut under Settings → This computer.' },
  ]);
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const chosen = await desktop.page.evaluate(() => window.pixdock?.setPreferences({ shortcut: 'Alt+Shift+P' }));
  expect(chosen).toMatchObject({ shortcut: 'Alt+Shift+P', shortcutState: 'active' });
  await expect.poll(() => desktop.labels()).not.toContain('Shortcut CommandOrControl+Shift+U is already in use');
  await desktop.copyOutside('image/png', await png('#990'));
  await desktop.pressShortcut('Alt+Shift+P');
  await links(desktop, 1);
});

test('the tray is in Chinese when that language is chosen', async ({ used: desktop }) => {
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  await desktop.page.evaluate(() => window.pixdock?.setPreferences({ language: 'zh' }));
  await expect.poll(() => desktop.labels()).toEqual(expect.arrayContaining(['上传剪贴板', '打开 Pixdock', '退出 Pixdock']));
  await desktop.page.evaluate(() => window.pixdock?.setPreferences({ language: 'system' }));
  await expect.poll(() => desktop.labels()).toContain('Quit Pixdock');
});

test('a capture that wasn’t uploaded before the app ended is uploaded at the next start', async ({ launch, folder }) => {
  test.skip(process.platform === 'win32', 'stops a process by a signal, which Windows does not have');
  const first = await launch();
  await expect(first.page.getByRole('navigation')).toBeVisible();
  const stuck = (await first.servicePid()) ?? 0;
  process.kill(stuck, 'SIGSTOP'); // it accepts connections but never responds
  await first.copyOutside('image/png', await png('#707'));
  await first.press('Upload clipboard');
  await expect.poll(() => first.labels()).toContain('Uploading 1 picture…');
  await first.crash();
  process.kill(stuck, 'SIGKILL');

  const second = await launch();
  await expect
    .poll(() => second.labels('Recent uploads'))
    .toEqual(['Only this computer can open it', expect.stringMatching(/^clipboard-.*\.png$/), 'Send to…']);
  expect(await second.clipboardText()).toBe('');
  await expect.poll(() => second.notifications()).toEqual([{ title: 'Picture uploaded', body: expect.stringContaining('clipboard-') }]);
  await expect.poll(() => readdir(join(folder, 'user/spool'))).toEqual([]);
});

test('two files dropped on the window appear in the gallery, and their links on the clipboard', async ({ used: desktop, image }) => {
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const files = [await image('left.png', '#f00'), await image('right.png', '#00f')];
  await desktop.drop(files);
  const copied = await links(desktop, 2);
  const shown = await Promise.all(copied.map(served));
  const dropped = await Promise.all(files.map(async (file) => pixels(await readFile(file))));
  expect(shown).toEqual(expect.arrayContaining(dropped));
  for (const name of ['left.png', 'right.png']) await expect(desktop.page.getByRole('link', { name: `Open ${name}` })).toBeVisible();
});

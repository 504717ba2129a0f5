import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { createToken } from '#api/auth/tokens.ts';
import { runBuiltCli } from '#test/cli/built-cli.ts';
import { captureTools, choose, editPage } from '#test/desktop/drafts.ts';
import { expect, test } from '#test/desktop/fixtures.ts';
import { standStill } from '#test/e2e/layout.ts';
import { untilQuiet } from '#test/e2e/quiet.ts';
import { startTestService } from '#test/helpers/service/service.ts';
import { DEMO_OWNER, fillDemo, signInToDemo } from '../../scripts/dev/demo.ts';
import { draw } from '../../scripts/dev/demo-pictures.ts';
import { Film } from './film.ts';

// The pictures of README.md and docs/guides/: `npm run pages -- documents` writes them.

const FOLDER = join(import.meta.dirname, '../../docs/pictures');

/** Of the links in the film. */
const ADDRESS = 'http://studio.local:7410';

test.setTimeout(900_000);

test('a capture on its way to a link', async ({ launch, folder, browser }) => {
  test.skip(process.platform !== 'linux', 'the stand-in for capturing is a program for X11');
  const screen = Buffer.from(await draw({ kind: 'customers', seed: 0 }, 'a.png'));
  const film = await Film.on(screen);
  const selected = { left: 250, top: 120, width: 1310, height: 780 };
  const shot = join(folder, 'shot.png');
  await writeFile(shot, await sharp(screen).extract(selected).png().toBuffer());
  const desktop = await launch(await captureTools(folder, shot));
  await choose(desktop, { afterCapture: 'edit' });
  await desktop.page.evaluate(async (base_url) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/api/v1/admin/settings', { method: 'PATCH', headers, body: JSON.stringify({ base_url }) });
    if (!response.ok) throw new Error(await response.text());
  }, ADDRESS);
  await film.select(selected);

  await desktop.press('Capture…');
  const page = await editPage(desktop);
  await page.setViewportSize(Film.WINDOW);
  await page.mouse.move(5, 5);
  await standStill(page);
  const paper = await page.getByTestId('editor-paper').boundingBox();
  if (!paper) throw new Error('There is no picture.');
  const place = (x: number, y: number) =>
    [
      paper.x + ((x - selected.left) * paper.width) / selected.width,
      paper.y + ((y - selected.top) * paper.height) / selected.height,
    ] as const;
  const take = (caption: string, milliseconds: number) => film.window(page, caption, milliseconds);
  await take('It opens in the editor. Nothing has left your computer.', 1600);

  const [hide, explain] = ['Hide what isn’t for everyone …', '… and point out what matters'];
  await film.click(page, page.getByRole('button', { name: 'Pixelate' }), hide);
  await film.drag(page, place(632, 205), place(985, 852), hide);
  await film.click(page, page.getByRole('button', { name: 'Box' }), explain);
  await film.drag(page, place(1200, 446), place(1520, 512), explain);
  await film.click(page, page.getByRole('button', { name: 'Callout' }), explain);
  await film.drag(page, place(1195, 480), place(690, 560), explain);
  for (const part of ['Who calls', ' Priya?']) {
    await page.keyboard.type(part);
    await take(explain, 350);
  }
  await page.keyboard.press('Escape');
  await film.click(page, page.getByRole('button', { name: 'Send' }), 'Send it');
  await expect.poll(() => desktop.clipboardText()).toMatch(/\/i\/\w{12}\.png$/);
  const link = await desktop.clipboardText();
  expect(link.startsWith(ADDRESS)).toBe(true);
  await expect.poll(() => desktop.notifications()).not.toEqual([]);
  const [notification] = await desktop.notifications();
  await film.notify(notification ?? { title: '', body: '' }, 'The link is on your clipboard');

  const visitor = await browser.newPage({ viewport: Film.WINDOW });
  await visitor.goto(new URL(new URL(link).pathname, desktop.page.url()).href);
  await film.browser(visitor, link, 'Paste it anywhere');
  const bytes = await film.develop();
  expect(bytes.length).toBeLessThan(1_500_000);
  await writeFile(join(FOLDER, 'capture.webp'), bytes);
});

test('the gallery and a token', async ({ browser }) => {
  await using service = await startTestService({ baseUrl: 'https://pics.example.org' });
  await fillDemo(
    service.url,
    async () => service.setupCode ?? '',
    () => undefined,
  );
  const context = await browser.newContext({ locale: 'en-GB', baseURL: service.url, reducedMotion: 'reduce' });
  await context.request.post('/api/v1/auth/login', { data: { login: DEMO_OWNER.username, password: DEMO_OWNER.password } });
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const [colorScheme, name] of [
    ['light', 'gallery'],
    ['dark', 'gallery-dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto('/');
    await settle(page);
    await save(page.screenshot(), name);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 700, height: 560 });
  await page.goto('/settings/tokens');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('curl');
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('tab', { name: 'curl' }).click();
  await settle(page);
  await save(page.getByRole('dialog').screenshot(), 'token');
});

test('the settings for editors', async ({ launch }) => {
  const desktop = await launch({ env: { PIXDOCK_EDITORS_PORT: '36677' } });
  await desktop.page.getByRole('navigation').first().waitFor();
  await desktop.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await desktop.page.goto(new URL('/settings/computer', desktop.page.url()).href);
  const [first, last] = [
    desktop.page.getByText('Uploads from editors', { exact: true }),
    desktop.page.getByText('Albums for editor uploads', { exact: true }),
  ];
  await first.waitFor();
  await desktop.page.setViewportSize({ width: 1000, height: 4000 });
  await expect.poll(() => desktop.page.evaluate(() => innerWidth)).toBe(1000);
  await settle(desktop.page);
  const [top, bottom] = [await first.boundingBox(), await last.boundingBox()];
  if (!top || !bottom) throw new Error('The settings aren’t shown.');
  const clip = { x: top.x - 24, y: top.y - 20, width: 804, height: bottom.y - top.y + 76 };
  await save(desktop.page.screenshot({ clip }), 'computer');
});

test('the command line', async ({ folder, browser }) => {
  await using service = await startTestService({ baseUrl: 'https://pics.example.org' });
  await fillDemo(
    service.url,
    async () => service.setupCode ?? '',
    () => undefined,
  );
  const { token } = await (await signInToDemo(service.url)).call(createToken, { body: { name: 'terminal', scope: 'full' } });
  await writeFile(join(folder, 'arrivals.png'), await draw({ kind: 'chart', seed: 4 }, 'a.png'));
  const lines: string[] = [];
  for (const command of ['upload arrivals.png --format markdown', 'search boathouse png', 'import-dir . --dry-run']) {
    const { stdout, stderr, code } = await runBuiltCli(folder, command.split(' '), {
      env: { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: token },
    });
    expect(code, stderr).toBe(0);
    lines.push(
      `<b>$ pixdock ${command}</b>`,
      ...(stderr + stdout)
        .trim()
        .split('\n')
        .map((line) => line.replaceAll('<', '&lt;')),
    );
  }
  const page = await browser.newPage({ viewport: { width: 1480, height: 100 } });
  await page.setContent(
    `<pre style="margin:0;padding:40px 48px;background:#10181c;color:#dbe4e6;font:21px/1.65 'DejaVu Sans Mono',Menlo,Consolas,monospace">${lines.join('\n')}</pre><style>body{margin:0}b{color:#7fd4e0;font-weight:400}</style>`,
  );
  await save(page.locator('pre').screenshot(), 'terminal');
});

async function settle(page: Page) {
  await untilQuiet(page);
  await page.waitForFunction(() => [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'));
  await standStill(page);
}

/** A picture with few colours is a third of the size. */
async function save(screenshot: Promise<Buffer>, name: string) {
  await writeFile(
    join(FOLDER, `${name}.png`),
    await sharp(await screenshot)
      .png({ palette: true, quality: 95, effort: 10 })
      .toBuffer(),
  );
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { decideDeviceRequest } from '#api/auth/devices.ts';
import { expect, test } from '#test/desktop/fixtures.ts';
import { type SignedIn, setUp, startTestService } from '#test/helpers/service/service.ts';
import { draw } from '../../scripts/dev/demo-pictures.ts';
import { LANGUAGES, takePictures } from './pictures.ts';

test.describe.configure({ mode: 'parallel', timeout: 900_000 });

/** Chooses a button of a page by its place, since its name depends on the language. */
const button = (page: Page, number: number) => page.getByRole('button').nth(number).click();

/** Approves the request that the page shows. */
async function approve(page: Page, owner: SignedIn) {
  const user_code = await page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).innerText();
  await owner.client.call(decideDeviceRequest, { body: { user_code, decision: 'approve' } });
}

for (const language of LANGUAGES) {
  const args = [`--lang=${language === 'zh' ? 'zh-CN' : 'en-US'}`];

  test(`the pages of the app: ${language}`, async ({ launch, folder }) => {
    const desktop = await launch({ args });
    const { page } = desktop;
    const goTo = async (path: string) => {
      await page.goto(new URL(path, page.url()).href);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    };
    await expect(page.getByRole('navigation').first()).toBeVisible();
    for (const path of ['uploads', 'folders']) {
      await goTo(`/${path}`);
      await takePictures(page, `desktop-${path}-empty`, language);
    }
    await goTo('/settings/computer');
    await takePictures(page, 'desktop-settings-computer', language);

    const inbox = join(folder, 'Screenshots');
    await mkdir(inbox);
    for (let seed = 0; seed < 5; seed++)
      await writeFile(join(inbox, `Screenshot of a window with a long name ${seed}.png`), await draw({ kind: 'customers', seed }, 'a.png'));
    await writeFile(join(inbox, 'damaged.png'), 'not a picture');
    await goTo('/uploads');
    await desktop.drop([
      join(inbox, 'damaged.png'),
      ...[0, 1, 2].map((seed) => join(inbox, `Screenshot of a window with a long name ${seed}.png`)),
    ]);
    await expect(page.locator('li[data-state=done]')).toHaveCount(3);
    await takePictures(page, 'desktop-uploads', language);

    await goTo('/folders');
    await desktop.choose(inbox);
    await page.getByRole('main').getByRole('button').first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await takePictures(page, 'desktop-folder-new', language);
    await page.getByRole('dialog').getByRole('button').last().click();
    await expect(page.getByRole('listitem', { name: 'Screenshots' })).toBeVisible();
    await takePictures(page, 'desktop-folders', language);
  });

  test(`the first launch and a joined server: ${language}`, async ({ launch, folder }) => {
    const dataDir = join(folder, 'host');
    await mkdir(dataDir);
    await using host = await startTestService({ dataDir });
    const owner = await setUp(host);
    const first = await launch({ asks: true, args });
    const { page } = first;
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await takePictures(page, 'desktop-setup', language);
    await page.getByRole('button', { name: /Options…|选项…/ }).click();
    await takePictures(page, 'desktop-setup-options', language);
    await button(page, 0);
    await page
      .getByRole('button', { name: /Join a Pixdock server|加入 Pixdock 服务器/ })
      .first()
      .click();
    await takePictures(page, 'desktop-setup-join', language);
    await page.getByRole('textbox').fill(host.url);
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)).toBeVisible();
    await takePictures(page, 'desktop-setup-approve', language);
    await approve(page, owner);
    await expect(page.getByText('ada', { exact: true })).toBeVisible();
    await takePictures(page, 'desktop-setup-approved', language);
    const desktop = await first.withNextWindow(() => button(page, 0));
    const joined = desktop.page;
    await expect(joined.getByRole('heading', { level: 1 })).toBeVisible();
    await takePictures(joined, 'desktop-joined', language);

    const inbox = join(folder, 'Screenshots');
    await mkdir(inbox);
    const names = [0, 1, 2, 3].map((seed) => join(inbox, `Screenshot of a window with a long name ${seed}.png`));
    for (const [seed, name] of names.entries()) await writeFile(name, await draw({ kind: 'customers', seed }, 'a.png'));
    await writeFile(join(inbox, 'damaged.png'), 'not a picture');
    const goTo = async (part: string) => {
      await joined.evaluate((hash) => {
        location.hash = hash;
      }, part);
      await expect(joined.getByRole('heading', { level: 1 })).toBeVisible();
    };
    await goTo('folders');
    await desktop.choose(inbox);
    await joined.getByRole('main').getByRole('button').first().click();
    await joined.getByRole('dialog').getByRole('button').last().click();
    await expect(joined.getByRole('listitem', { name: 'Screenshots' })).toBeVisible();
    await takePictures(joined, 'desktop-joined-folders', language);
    await goTo('settings');
    await takePictures(joined, 'desktop-joined-settings', language);
    await goTo('uploads');
    await desktop.drop([join(inbox, 'damaged.png'), ...names.slice(0, 3)]);
    await expect(joined.locator('li[data-state=done] img')).toHaveCount(3);
    await takePictures(joined, 'desktop-joined-uploads', language);
    await host.stop();
    await desktop.drop(names.slice(3));
    await expect(joined.locator('li[data-state=waiting]')).toHaveCount(1);
    await expect(joined.getByRole('status').filter({ hasText: /responding|没有响应/ })).toBeVisible({ timeout: 60_000 });
    await takePictures(joined, 'desktop-joined-waiting', language);
  });

  test(`the other windows: ${language}`, async ({ launch, folder }) => {
    const desktop = await launch({ args });
    const [drop] = await Promise.all([
      desktop.app.waitForEvent('window'),
      desktop.press(language === 'zh' ? '显示拖放窗口' : 'Show drop window'),
    ]);
    await expect(drop.getByRole('button').first()).toBeVisible();
    await takePictures(drop, 'desktop-drop-window', language);
    await desktop.end();

    const damaged = join(folder, 'damaged');
    await mkdir(damaged);
    await writeFile(join(damaged, 'pixdock.db'), 'this is not a database, but more than a hundred bytes of text'.repeat(5));
    const { page } = await launch({ env: { PIXDOCK_DATA_DIR: damaged }, args });
    await expect(page.getByRole('listitem').first()).toBeVisible();
    await takePictures(page, 'desktop-failing-service', language);
  });
}

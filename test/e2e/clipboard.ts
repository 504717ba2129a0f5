import type { Page } from 'playwright/test';
import type { TestService } from '#test/helpers/service/service.ts';

/** The clipboard through a page on loopback: a secure context, unlike the page under test. */
export async function openClipboard(page: Page, service: TestService) {
  const context = page.context();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
  const secure = await context.newPage();
  await secure.goto(`${service.url}/favicon.svg`);
  const inFront = async <T>(use: () => Promise<T>) => {
    await secure.bringToFront();
    const result = await use();
    await page.bringToFront();
    return result;
  };
  return {
    readText: () => inFront(() => secure.evaluate(() => navigator.clipboard.readText())),
    writePng: (bytes: Buffer) =>
      inFront(() =>
        secure.evaluate(async (base64) => {
          const blob = new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'image/png' });
          await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
        }, bytes.toString('base64')),
      ),
  };
}

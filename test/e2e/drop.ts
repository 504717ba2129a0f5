import type { Page } from 'playwright/test';

/** Drags files from the disk over the page and drops them, as a user would. `midway` runs while they hover; `at` chooses where they drop. */
export async function dropFiles(page: Page, files: string[], midway: () => Promise<unknown>, at?: () => Promise<{ x: number; y: number }>) {
  const cdp = await page.context().newCDPSession(page);
  let event = { x: 400, y: 300, data: { items: [], files, dragOperationsMask: 1 } };
  await cdp.send('Input.dispatchDragEvent', { type: 'dragEnter', ...event });
  await cdp.send('Input.dispatchDragEvent', { type: 'dragOver', ...event });
  await midway();
  if (at) event = { ...event, ...(await at()) };
  // Browsers send this all the time; a page that was busy would miss a single one, and with it the drop.
  await cdp.send('Input.dispatchDragEvent', { type: 'dragOver', ...event });
  await cdp.send('Input.dispatchDragEvent', { type: 'drop', ...event });
}

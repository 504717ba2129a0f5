import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { test } from '#test/helpers/screen/app.tsx';
import { audit } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';

test.for([
  [640, 400, 220],
  [360, 400, 150],
] as const)(
  'in a window of %i × %i, the picture is large, and every tool is in view with its options',
  async ([width, height, least], { mount }) => {
    await page.viewport(width, height);
    const image = anImage({ width: 1600, height: 1000 });
    const api = { 'GET /images/:key/text': { status: 'none' as const, language: null, lines: [] } };
    await mount(`/?picture=${image.key}`, { images: [image], config: { ocr_enabled: true }, api });
    await page.getByRole('button', { name: 'Edit picture' }).click();
    const paper = page.getByTestId('editor-paper');
    await expect.element(paper).toBeVisible();
    // Where it can be found: without the tool that covers.
    await expect.element(page.getByRole('button', { name: 'Cover text…' })).toBeVisible();
    const tools = page.getByRole('toolbar', { name: 'Tools' }).getByRole('button');
    await expect.element(tools).toHaveLength(18);
    for (const tool of tools.elements()) {
      const { left, right, bottom } = tool.getBoundingClientRect();
      expect(left >= 0 && right <= width && bottom <= height, tool.textContent).toBe(true);
    }
    for (const key of ['v', 'b', 't', 'c']) {
      await userEvent.keyboard(key);
      await expect.poll(() => paper.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(least);
    }
    await expect.element(page.getByRole('button', { name: 'Apply' })).toBeVisible();
    await audit('cropping in a low window');
  },
);

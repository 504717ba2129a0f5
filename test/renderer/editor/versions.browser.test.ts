import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { setPreferences } from '#renderer/preferences/preferences.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { audit } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { copiedText } from '#test/helpers/screen/input.ts';
import '#test/helpers/screen/locators.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const item = (name: string) => page.getByRole('menuitem', { name });

/** A picture of one colour, as large as those of the library. */
async function picture(name: string, colour: string): Promise<File> {
  const canvas = new OffscreenCanvas(600, 400);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  context.fillStyle = colour;
  context.fillRect(0, 0, 600, 400);
  return new File([await canvas.convertToBlob()], name, { type: 'image/png' });
}

async function replace(file: File) {
  await expect.element(button('More actions')).toBeVisible();
  await userEvent.upload(page.getByCss('input[type=file][aria-label="Replace the picture…"]'), file);
  await page.getByRole('dialog', { name: 'Replace the picture?' }).getByRole('button', { name: 'Replace' }).click();
  await expect.element(page.getByText('Picture replaced')).toBeVisible();
}

test('replacing a picture is undone by the button and by Ctrl+Z, and its versions stay to be compared', async ({ mount }) => {
  const first = anImage({ name: 'plan.png', sha256: 'a'.repeat(64) });
  const { library } = await mount(`/?picture=${first.key}`, { images: [first] });
  const sha256 = () => library.images.find(({ key }) => key === first.key)?.sha256;
  await replace(await picture('two.png', 'red'));
  const second = sha256();
  await audit('a replaced picture');
  await button('Undo').click();
  await expect.element(page.getByText('Replacement undone')).toBeVisible();
  expect(sha256()).toBe(first.sha256);

  await replace(await picture('three.png', 'blue'));
  const third = sha256();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(sha256).toBe(first.sha256);
  await button('More actions').click();
  await item('Compare with earlier versions').click();
  const comparison = page.getByRole('dialog', { name: 'Compare with earlier versions' });
  await comparison.getByRole('button', { name: 'Restore this version' }).click();
  await expect.element(page.getByText('Version restored')).toBeVisible();
  expect(sha256()).toBe(third);
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(sha256).toBe(first.sha256);
  expect(library.images.filter(({ version_of }) => version_of === first.key).map((version) => version.sha256)).toContain(second);
});

test('a replacement that another has followed stays, and a message says so', async ({ mount }) => {
  const image = anImage({ name: 'plan.png', sha256: 'a'.repeat(64) });
  const { library } = await mount(`/?picture=${image.key}`, { images: [image] });
  await replace(await picture('two.png', 'red'));
  library.images.push({ ...image, key: anImage().key, sha256: 'c'.repeat(64), version_of: image.key, deleted_at: '2999-01-01T00:00:00Z' });
  const replaced = library.images.find(({ key }) => key === image.key)?.sha256;
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByText(/^This can’t be undone: the picture was replaced again/)).toBeVisible();
  expect(library.images.find(({ key }) => key === image.key)?.sha256).toBe(replaced);
});

test('saving a copy copies its link, unless links aren’t copied after uploads', async ({ mount }) => {
  const image = anImage({ name: 'plan.jpg', visibility: 'private' });
  const { library, reopen } = await mount(`/?picture=${image.key}`, { images: [image] });
  const saveCopy = async () => {
    await button('Edit picture').click();
    const stage = page.getByRole('application', { name: 'Picture being edited' });
    await expect.element(stage).toBeVisible();
    await userEvent.keyboard('b');
    (stage.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await userEvent.keyboard('{Control>}s{/Control}');
    await item('Save as a copy').click();
    await expect.element(page.getByText('Saved as a copy')).toBeVisible();
  };
  await saveCopy();
  await expect.element(page.getByText(/^Its link has been copied\. Only you can see this picture\./)).toBeVisible();
  expect(await copiedText()).toBe(library.images.at(-1)?.links.url);

  setPreferences({ copyAfterUpload: false });
  await navigator.clipboard.writeText('before');
  library.images.length = 1;
  await reopen(`/?picture=${image.key}`);
  await saveCopy();
  await expect.element(page.getByText('The original is unchanged.', { exact: true })).toBeVisible();
  expect(await copiedText()).toBe('before');
});

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

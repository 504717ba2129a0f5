import { expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { copiedText, dropFiles, paste, pictureFile } from './input.ts';

/** An element that fills the window, and what `event` brings it. */
function listen<Name extends 'drop' | 'paste'>(name: Name) {
  const element = Object.assign(document.createElement('div'), { tabIndex: 0 });
  element.style.cssText = 'position:fixed;inset:0';
  document.body.append(element);
  onTestFinished(() => element.remove());
  const { promise, resolve } = Promise.withResolvers<HTMLElementEventMap[Name]>();
  element.addEventListener('dragover', (event) => event.preventDefault());
  element.addEventListener(name, (event) => {
    event.preventDefault();
    resolve(event);
  });
  element.focus();
  return promise;
}

test('files and folders are dropped as from the disk', async () => {
  let wasOver = false;
  document.addEventListener('dragover', () => (wasOver = true), { once: true });
  const dropped = listen('drop').then(({ clientX, dataTransfer }) => ({
    clientX,
    names: [...(dataTransfer?.items ?? [])].map((item) => [item.webkitGetAsEntry()?.name, item.webkitGetAsEntry()?.isDirectory]),
  }));
  const files = [await pictureFile('a.jpg'), await pictureFile('holiday/b.png')];
  await dropFiles(files, { midway: async () => expect.poll(() => wasOver).toBe(true), at: () => ({ x: 120, y: 80 }) });
  const { clientX, names } = await dropped;
  expect(clientX).toBe(120);
  expect(names).toEqual([
    ['a.jpg', false],
    ['holiday', true],
  ]);
});

test('pictures and texts are pasted, and copied text is read', async () => {
  const pasted = listen('paste').then(({ clipboardData }) => [...(clipboardData?.items ?? [])].map(({ type }) => type));
  await paste(await pictureFile('a.png'));
  expect(await pasted).toEqual(['image/png']);
  const field = document.createElement('textarea');
  document.body.append(field);
  onTestFinished(() => field.remove());
  field.focus();
  await paste('two words');
  await expect.element(field).toHaveValue('two words');
  field.select();
  await userEvent.copy();
  expect(await copiedText()).toBe('two words');
});

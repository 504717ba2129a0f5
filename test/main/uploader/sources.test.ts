import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileSource, fileToSend, openCaptures, readingFailure } from '#main/uploader/sources.ts';
import { temporaryFolder } from '#test/helpers/folder.ts';
import { FileFault } from '#transfer/post-form.ts';

test('sends a file under its name, with its size', async () => {
  const path = join(temporaryFolder(), 'ä b.png');
  await writeFile(path, 'bytes');
  const source = fileSource(path);
  expect(source).toEqual({ path, name: 'ä b.png', capture: false });
  expect(await fileToSend(source)).toEqual({ path, name: 'ä b.png', size: 5 });
});

test('rejects a missing file and a folder with a reason', async () => {
  const folder = temporaryFolder();
  const missing = await fileToSend(fileSource(join(folder, 'none.png'))).catch(readingFailure);
  expect(missing).toMatchObject({ name: 'Reason', text: 'fileMissing' });
  await expect(fileToSend(fileSource(folder))).rejects.toMatchObject({ name: 'Reason', text: 'notAFile' });
});

test('rejects a file that changes during the upload with a reason, and passes other errors on', () => {
  expect(readingFailure(new FileFault('was changed'))).toMatchObject({ name: 'Reason', text: 'fileChanged' });
  const other = new Error('full');
  expect(readingFailure(other)).toBe(other);
});

test('stores a capture readable by its user only, finds it again, and removes it', async () => {
  const folder = join(temporaryFolder(), 'captures');
  const captures = openCaptures(folder);
  const source = await captures.keep(new TextEncoder().encode('picture'), 'one.png');
  expect((await stat(source.path)).mode & 0o777).toBe(0o600);
  expect(await openCaptures(folder).left()).toEqual([source]);
  await captures.remove(source);
  expect(await readdir(folder)).toEqual([]);
});

test("stores a capture's options with it, and removes them with it", async () => {
  const folder = join(temporaryFolder(), 'captures');
  const options = { name: 'plan: draft/2.png', fields: { visibility: 'private', access_password: 'sesame' } };
  const source = await openCaptures(folder).keep(new TextEncoder().encode('picture'), 'one.png', options);
  expect(source).toEqual({ path: join(folder, 'one.png'), capture: true, ...options });
  for (const file of await readdir(folder)) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  expect(await openCaptures(folder).left()).toEqual([source]);
  await openCaptures(folder).remove(source);
  expect(await readdir(folder)).toEqual([]);
});

test.each(['', '{"fields":{"visibility":"priv', '{"fields":{"owner":"1"}}'])(
  'keeps a capture private if its options are damaged (%j)',
  async (damaged) => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'one.png'), 'picture');
    await writeFile(join(folder, 'one.png.json'), damaged);
    expect(await openCaptures(folder).left()).toMatchObject([{ name: 'one.png', fields: { visibility: 'private' } }]);
  },
);

test('removes options whose capture was never written', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'one.png.json'), '{}');
  expect(await openCaptures(folder).left()).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

test("never removes a user's own file", async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'captures'));
  const path = join(folder, 'own.png');
  await writeFile(path, 'mine');
  await openCaptures(join(folder, 'captures')).remove(fileSource(path));
  expect((await stat(path)).size).toBe(4);
});

import { mkdir, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { NotAFile, OutsideFolders } from '#transfer/open-file.ts';
import { FileFault } from '#transfer/post-form.ts';
import { compileFilters } from '#transfer/select.ts';
import { openFound, walk } from '#transfer/walk.ts';

/** The only file of a folder, as a walk finds it. */
async function findOnly(root: string) {
  const events = { onSkip: () => undefined, onError: () => Promise.reject(new Error('can’t be read')) };
  for await (const file of walk(root, compileFilters({ recursive: true }), events)) return file;
  throw new Error('there is no file');
}

test('a file that was found is opened unless it has changed, or leads out of the folder by now', async () => {
  const [root, elsewhere] = [await realpath(temporaryFolder()), await realpath(temporaryFolder())];
  await mkdir(join(root, 'sub'));
  await writeFile(join(root, 'sub/a.png'), 'own');
  await writeFile(join(elsewhere, 'a.png'), 'its');
  const found = await findOnly(root);
  {
    await using file = await openFound(found);
    expect(await file.handle.readFile('utf8')).toBe('own');
  }
  await rename(join(root, 'sub'), join(root, 'before'));
  await symlink(elsewhere, join(root, 'sub'), 'junction');
  await expect(openFound(found)).rejects.toThrow(OutsideFolders);

  const other = await findOnly(root);
  await rename(join(root, 'before/a.png'), join(root, 'before/b.png'));
  await symlink(join(elsewhere, 'a.png'), join(root, 'before/a.png'));
  await expect(openFound(other)).rejects.toThrow(NotAFile);
  await writeFile(join(root, 'before/b.png'), 'longer');
  await expect(openFound({ ...other, path: Buffer.from(join(root, 'before/b.png')) })).rejects.toThrow(FileFault);
});

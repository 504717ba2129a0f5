import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { has } from '#test/helpers/programs/installed.ts';
import { swap } from '#test/helpers/programs/swap.ts';
import { NotAFile, OutsideFolders, openFile, openInside } from '#transfer/open-file.ts';

/** How long a file keeps becoming a link and back. */
const SWAPPING_MS = process.env.PIXDOCK_TEST_SLOW ? 3_000 : 1_000;

/** A folder with a file, and one elsewhere with a file of the same name. */
async function places() {
  const folder = await realpath(temporaryFolder());
  const elsewhere = await realpath(temporaryFolder());
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'sub/a.png'), 'own');
  await writeFile(join(elsewhere, 'a.png'), 'secret');
  return { folder, elsewhere, path: join(folder, 'sub/a.png') };
}

async function contentOf(path: string | Buffer, folder: string, platform?: NodeJS.Platform) {
  await using file = await openInside(path, [folder], platform);
  return await file.handle.readFile('utf8');
}

test('opens files of a folder, also by bytes, and describes them', async () => {
  const { folder, path } = await places();
  expect(await contentOf(path, folder)).toBe('own');
  expect(await contentOf(Buffer.from(path), folder)).toBe('own');
  expect(await contentOf(`${folder}/sub/../sub/./a.png`, folder)).toBe('own');
  await using file = await openFile(path);
  expect(file).toMatchObject({ size: 3, modified: (await file.handle.stat()).mtimeMs });
});

test.runIf(process.platform === 'linux')('opens a file whose name isn’t UTF-8', async () => {
  const { folder } = await places();
  const path = Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from('.png')]);
  await writeFile(path, 'own');
  expect(await contentOf(path, folder)).toBe('own');
});

test('refuses what leads out of the folder, what is outside, and what has the same beginning', async () => {
  const { folder, elsewhere } = await places();
  await symlink(elsewhere, join(folder, 'out'), 'junction');
  await mkdir(`${folder}-2`);
  onTestFinished(() => rename(`${folder}-2`, join(elsewhere, 'removed')));
  await writeFile(`${folder}-2/a.png`, 'secret');
  for (const path of [join(folder, 'out/a.png'), join(elsewhere, 'a.png'), `${folder}-2/a.png`, join(folder, '..', 'a.png')])
    await expect(contentOf(path, folder)).rejects.toThrow(OutsideFolders);
  await expect(contentOf(join(folder, 'missing.png'), folder)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('opens neither a link, nor a folder, a socket or a pipe', async () => {
  const { folder, path } = await places();
  await symlink(path, join(folder, 'link.png'));
  const socket = createServer().listen(join(folder, 'socket.png'));
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  if (has('mkfifo')) execFileSync('mkfifo', [join(folder, 'pipe.png')]);
  for (const name of ['link.png', 'sub', 'socket.png', ...(has('mkfifo') ? ['pipe.png'] : [])])
    await expect(contentOf(join(folder, name), folder)).rejects.toThrow(NotAFile);
  for (const name of ['sub', 'socket.png', ...(has('mkfifo') ? ['pipe.png'] : [])])
    await expect(openFile(join(folder, name))).rejects.toThrow(NotAFile);
});

test('opens files of a whole disk', async () => {
  const { path } = await places();
  expect(await contentOf(path, '/')).toBe('own');
});

test.each([
  ['file', 'sub/a.png', 'a.png', process.platform],
  ['folder', 'sub', '', process.platform],
  // Windows doesn't say where an open file is.
  ['file', 'sub/a.png', 'a.png', 'win32'],
  ['folder', 'sub', '', 'win32'],
] as const)('opens nothing elsewhere while a %s becomes a link and back', async (_, replaced, target, platform) => {
  const { folder, elsewhere, path } = await places();
  await swap(join(folder, replaced), join(elsewhere, target));
  const seen = { own: 0, refused: 0 };
  // Until both were tried often enough.
  for (const end = performance.now() + SWAPPING_MS; performance.now() < end || Math.min(seen.own, seen.refused) <= 20; ) {
    const content = await contentOf(path, folder, platform).catch(() => 'refused');
    if (content === 'secret') expect.fail(`opened a file elsewhere after ${seen.own + seen.refused} attempts`);
    seen[content as keyof typeof seen]++;
  }
  expect(seen.own).toBeGreaterThan(20);
  expect(seen.refused).toBeGreaterThan(20);
});

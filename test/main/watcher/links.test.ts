import { mkdir, readdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Account } from '#main/service/account.ts';
import { FileChanged, sendWith } from '#main/uploader/send.ts';
import { stateOf } from '#main/watcher/files/content.ts';
import { accept, type Reply, startScriptedService } from '#test/cli/scripted-service.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { swap } from '#test/helpers/programs/swap.ts';
import { foldersIn, put } from './harness.ts';

/** How long a file keeps becoming a link and back. */
const SWAPPING_MS = process.env.PIXDOCK_TEST_SLOW ? 3_000 : 500;

/** Replaces a subfolder by a link to a folder elsewhere that looks the same. */
async function replaceByLink(root: string, name: string): Promise<string> {
  const elsewhere = join(temporaryFolder(), name);
  await rename(join(root, name), elsewhere);
  await symlink(elsewhere, join(root, name), 'junction');
  return elsewhere;
}

test('a file behind a linked subfolder isn’t looked at or sent', async () => {
  const root = temporaryFolder();
  await mkdir(join(root, 'sub'));
  const path = await put(root, 'sub/a.png', 'A');
  const { add, journal, account } = foldersIn();
  await add(root, { existing: true });
  expect(await stateOf(path, root)).toMatchObject({ size: 1 });
  await replaceByLink(root, 'sub');
  expect(await stateOf(path, root)).toBe('notFile');
  const [item] = journal.items.list(['sending'], 1, 0);
  if (!item) throw new Error('nothing is being sent');
  const sent = sendWith(account, () => '')(item, {
    signal: new AbortController().signal,
    onSize: () => undefined,
    onBytes: () => undefined,
  });
  await expect(sent).rejects.toThrow(FileChanged);
});

test('a file that was replaced by a link isn’t sent', async () => {
  const root = temporaryFolder();
  const path = await put(root, 'a.png', 'A');
  const { add, journal, account } = foldersIn();
  await add(root, { existing: true });
  const [item] = journal.items.list(['sending'], 1, 0);
  if (!item) throw new Error('nothing is being sent');
  const elsewhere = join(temporaryFolder(), 'a.png');
  await rename(path, elsewhere);
  await symlink(elsewhere, path);
  const sent = sendWith(account, () => '')(item, {
    signal: new AbortController().signal,
    onSize: () => undefined,
    onBytes: () => undefined,
  });
  await expect(sent).rejects.toMatchObject({ text: 'notAFile' });
});

test('nothing elsewhere is sent while a file becomes a link and back', async () => {
  const root = temporaryFolder();
  const path = await put(root, 'a.png', 'own');
  const secret = await put(temporaryFolder(), 'a.png', 'its');
  const { add, journal } = foldersIn();
  await add(root, { existing: true });
  const [item] = journal.items.list(['sending'], 1, 0);
  if (!item) throw new Error('nothing is being sent');
  const bodies: string[] = [];
  const take: Reply = (response, request) => {
    bodies.push(`${request.body}`);
    accept()(response, request);
  };
  await using service = await startScriptedService([take]);
  const access = async () => ({ url: service.url, headers: {} });
  const send = sendWith({ access, id: () => item.account } as unknown as Account, () => '');
  await swap(path, secret);
  let refused = 0;
  const attempt = { signal: new AbortController().signal, onSize: () => undefined, onBytes: () => undefined };
  // Until both were tried often enough.
  for (const end = performance.now() + SWAPPING_MS; performance.now() < end || Math.min(bodies.length, refused) <= 20; )
    await send(item, attempt).catch(() => refused++);
  expect(bodies.filter((body) => body.includes('\r\n\r\nits\r\n'))).toEqual([]);
  expect(Math.min(bodies.length, refused)).toBeGreaterThan(20);
});

test('a file behind a linked subfolder isn’t trashed', async () => {
  const root = temporaryFolder();
  await mkdir(join(root, 'sub'));
  await put(root, 'sub/a.png', 'A');
  const { add, upload, until, events, trashed } = foldersIn();
  await add(root, { existing: true, after: { kind: 'trash' } });
  await replaceByLink(root, 'sub');
  await upload();
  await until(() => events().includes('sub/a.png kept'), 'the decision');
  expect(trashed).toEqual([]);
});

test('files aren’t moved through a link', async () => {
  const root = temporaryFolder();
  await put(root, 'a.png', 'A');
  await mkdir(join(root, 'Uploaded'));
  const elsewhere = await replaceByLink(root, 'Uploaded');
  const { add, upload, until, events } = foldersIn();
  await add(root, { existing: true, after: { kind: 'move', to: 'Uploaded' } });
  await upload();
  await until(() => events().some((event) => /^a.png (kept|filed)$/.test(event)), 'the decision');
  expect(await readdir(elsewhere)).toEqual([]);
  expect(await readdir(root)).toContain('a.png');
});

import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { foldersIn, put } from './harness.ts';

test('takes existing files when asked, each content once, and says why it leaves others', async () => {
  const root = temporaryFolder();
  await mkdir(join(root, 'sub'));
  await put(root, 'a.png', 'A');
  await put(root, 'sub/copy of a.png', 'A');
  await put(root, 'b.png', 'B');
  await put(root, 'notes.txt', 'text');
  await put(root, 'writing.png.part', 'C');
  const { add, journal, upload, events, rescan } = foldersIn();
  await add(root, { existing: true });
  expect(journal.items.counts()).toMatchObject({ queued: 0, sending: 2 });
  await upload();
  await rename(join(root, 'writing.png.part'), join(root, 'writing.png'));
  await rescan();
  await upload();
  const uploaded = events().filter((event) => event.endsWith('uploaded'));
  const duplicates = events().filter((event) => event.endsWith('duplicate'));
  // The copy may be read first.
  const copyFirst = duplicates[0] === 'a.png duplicate';
  const [first, second] = copyFirst ? ['sub/copy of a.png', 'a.png'] : ['a.png', 'sub/copy of a.png'];
  expect(uploaded.sort()).toEqual([`${first} uploaded`, 'b.png uploaded', 'writing.png uploaded'].sort());
  expect(duplicates).toEqual([`${second} duplicate`]);
  expect(events()).toContain('notes.txt skipped');
  const before = events();
  await rescan();
  expect(events()).toEqual(before);
});

test('leaves what was there before, even after it is moved, and takes what comes', async () => {
  const root = temporaryFolder();
  await put(root, 'old.png', 'OLD');
  const { add, rescan, events, hints, until, only } = foldersIn();
  await add(root);
  expect(events()).toEqual([]);
  await mkdir(join(root, 'new folder'));
  await rename(join(root, 'old.png'), join(root, 'new folder', 'old.png'));
  await put(root, 'new.png', 'NEW');
  await rescan();
  expect(events()).toEqual(expect.arrayContaining(['new.png queued', 'new folder/old.png moved']));
  expect(events()).not.toContain('new folder/old.png queued');

  await put(root, 'hinted.png', 'HINTED');
  hints().onHint('hinted.png');
  await until(() => only().watch.settling() === 0, 'the hint');
  expect(events()).toContain('hinted.png queued');
});

test('a moved picture isn’t new, an edited one is, and its earlier version stays known', async () => {
  const root = temporaryFolder();
  await put(root, 'a.png', 'ONE');
  const { add, rescan, upload, events } = foldersIn();
  await add(root, { existing: true });
  await upload();
  await rename(join(root, 'a.png'), join(root, 'b.png'));
  await rescan();
  expect(events().slice(2)).toEqual(['b.png moved']);
  await put(root, 'b.png', 'TWO', 1_700_000_100);
  await rescan();
  await upload();
  expect(events().slice(3)).toEqual(['b.png queued', 'b.png uploaded']);
  await put(root, 'c.png', 'ONE', 1_700_000_200);
  await rescan();
  expect(events().slice(5)).toEqual(['c.png moved']);
  await put(root, 'b.png', 'THREE', 1_700_000_300);
  await rescan();
  await upload();
  await put(root, 'd.png', 'TWO', 1_700_000_400);
  await rescan();
  expect(events().at(-1)).toBe('d.png duplicate');
});

test('a file that is moved or deleted before it is sent is sent from its new place, or not at all', async () => {
  const root = temporaryFolder();
  for (const name of ['1', '2', 'a', 'b', 'c']) await put(root, `${name}.png`, name.toUpperCase());
  await put(root, 'copy of c.png', 'C');
  const { add, rescan, upload, events, uploader, journal } = foldersIn();
  uploader.setPaused(true);
  await add(root, { existing: true });
  await rename(join(root, 'a.png'), join(root, 'z.png'));
  await rm(join(root, 'b.png'));
  await rm(join(root, 'c.png'));
  await rescan();
  await rescan();
  uploader.setPaused(false);
  await upload();
  const uploaded = events().filter((event) => event.endsWith(' uploaded'));
  expect(uploaded.sort()).toEqual(['1.png uploaded', '2.png uploaded', 'copy of c.png uploaded', 'z.png uploaded']);
  expect(events()).toContain('b.png gone');
  expect(journal.items.counts()).toMatchObject({ failed: 0, queued: 0 });
});

test('an absent folder is waiting, not empty, and continues when it is back', async () => {
  const parent = temporaryFolder();
  const root = join(parent, 'drive');
  await mkdir(root);
  await put(root, 'a.png', 'A');
  const { add, upload, events, uploader, only, until, hints, journal, rest } = foldersIn();
  uploader.setPaused(true);
  await add(root, { existing: true });
  await rename(root, join(parent, 'unplugged'));
  hints().onHint('');
  await until(() => only().watch.state().state === 'waiting', 'waiting');
  expect(only().watch.state()).toMatchObject({ reason: { code: 'folderMissing' } });
  expect(journal.items.counts()).toMatchObject({ paused: 1 });
  await mkdir(root);
  await until(() => only().watch.state().state === 'waiting', 'waiting for the right drive');
  await rm(root, { recursive: true });
  await rename(join(parent, 'unplugged'), root);
  await rest();
  uploader.setPaused(false);
  await upload();
  expect(events()).toEqual(['a.png queued', 'a.png uploaded']);
});

test('continues by scanning where the system can’t watch more folders, and says so', async () => {
  const root = temporaryFolder();
  const { add, hints, only, rest, events, clock, until } = foldersIn();
  await add(root);
  hints().onError(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  await rest();
  expect(only().watch.state()).toMatchObject({ state: 'watching', notice: { code: 'tooManyFolders' } });
  await put(root, 'a.png', 'A');
  clock.pass(60_000);
  await until(() => events().includes('a.png queued'), 'a scan');
});

test('watches again ten minutes after the system couldn’t watch more folders', async () => {
  const root = temporaryFolder();
  const { add, hints, only, rest, clock, until } = foldersIn();
  await add(root);
  const first = hints();
  first.onError(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  await rest();
  const failedAt = clock.now();
  await until(() => hints() !== first, 'another attempt');
  expect(clock.now() - failedAt).toBeLessThan(12 * 60_000);
  await rest();
  expect(only().watch.state()).toEqual({ state: 'watching', notice: undefined });
});

test('moves uploaded files without replacing others, and repeats after a crash what it had begun', async () => {
  const root = temporaryFolder();
  const state = temporaryFolder();
  await put(root, 'a.png', 'A');
  await mkdir(join(root, 'Uploaded'));
  await put(root, 'Uploaded/a.png', 'another');
  const first = foldersIn(state);
  await first.add(root, { existing: true, after: { kind: 'move', to: 'Uploaded' } });
  await first.upload();
  await first.until(async () => !(await readdir(root)).includes('a.png'), 'the move');
  expect((await readdir(join(root, 'Uploaded'))).sort()).toEqual(['a (2).png', 'a.png']);
  await first.until(() => first.events().includes('a.png filed'), 'its note');
  expect(first.events()).toEqual(['a.png queued', 'a.png uploaded', 'a.png filed']);

  await put(root, 'b.png', 'B');
  await first.rescan();
  const [item] = first.journal.items.list(['sending'], 1, 0);
  await first.folders.close();
  await first.upload();
  expect(first.journal.items.get(item?.id ?? '')?.postUpload).toBe('pending');
  first.journal.close();
  const second = foldersIn(state);
  await second.until(() => second.events().includes('b.png filed'), 'the move after the crash');
});

test('trashes what was uploaded, but keeps a file that has changed since, or was rejected', async () => {
  const root = temporaryFolder();
  const path = await put(root, 'a.png', 'A');
  await put(root, 'b.png', 'B');
  const { add, upload, trashed, until, events } = foldersIn();
  await add(root, { existing: true, after: { kind: 'trash' } });
  await put(root, 'b.png', 'edited', 1_700_000_500);
  await upload();
  await until(() => events().includes('b.png kept') && events().includes('a.png trashed'), 'the trash');
  expect(trashed).toEqual([path]);
});

test('pausing holds a folder’s uploads and its new files until it is resumed', async () => {
  const root = temporaryFolder();
  await put(root, 'a.png', 'A');
  const { add, folders, uploader, journal, only, rest, events } = foldersIn();
  uploader.setPaused(true);
  const id = await add(root, { existing: true });
  folders.pause(true, id);
  await put(root, 'b.png', 'B');
  expect(only().watch.state().state).toBe('paused');
  expect(journal.items.counts()).toMatchObject({ paused: 1, queued: 0 });
  folders.pause(false);
  await rest();
  expect(journal.items.counts()).toMatchObject({ paused: 0, queued: 2 });
  expect(events()).toContain('b.png queued');
  folders.pause(true, id);
  expect(journal.fact(`held:${id}`)).toBe('yes');
  await folders.remove(id);
  expect(journal.fact(`held:${id}`)).toBeUndefined();
});

test('re-pointing a folder whose files were copied uploads nothing again', async () => {
  const old = temporaryFolder();
  const copy = temporaryFolder();
  await put(old, 'existing.png', 'E');
  const { add, rescan, upload, folders, events, rest } = foldersIn();
  const id = await add(old);
  await put(old, 'new.png', 'N');
  await rescan();
  await upload();
  for (const [name, content] of [
    ['existing.png', 'E'],
    ['new.png', 'N'],
  ] as const)
    await put(copy, name, content, 1_700_009_999);
  const before = events();
  await folders.repoint(id, copy);
  await rest();
  expect(events()).toEqual(before);
});

test('previews what a folder would upload, and refuses one that can’t be watched', async () => {
  const root = temporaryFolder();
  const state = temporaryFolder();
  await put(root, 'a.png', 'AAA');
  await put(root, 'b.png', 'B');
  await put(root, 'notes.txt', 'text');
  const { folders, add } = foldersIn(state);
  expect(await folders.preview(root, DEFAULT_FOLDER_OPTIONS)).toMatchObject({
    count: 2,
    bytes: 4,
    largest: { name: 'a.png', bytes: 3 },
    samples: ['a.png', 'b.png'],
    seen: 0,
    complete: true,
  });
  await add(root);
  await mkdir(join(root, 'inside'));
  await writeFile(join(state, 'file'), '');
  for (const [path, code] of [
    [join(root, 'inside'), 'folderOverlaps'],
    [state, 'folderIsOwn'],
    [join(root, 'a.png'), 'folderIsFile'],
    [join(root, 'missing'), 'folderMissing'],
  ] as const)
    await expect(folders.add(path, DEFAULT_FOLDER_OPTIONS)).rejects.toMatchObject({ text: code });
});

test('a full disk is shown as the folder’s problem, and passes', async () => {
  const root = temporaryFolder();
  const { add, journal, hints, only, until, rest, clock, events } = foldersIn();
  await add(root);
  const { note } = journal.seen;
  journal.seen.note = () => {
    throw new Error('database or disk is full');
  };
  await put(root, 'notes.txt', 'text');
  hints().onHint('notes.txt');
  await until(() => only().watch.state().state === 'problem', 'the problem');
  expect(only().watch.state()).toMatchObject({ reason: { message: 'database or disk is full' } });
  journal.seen.note = note;
  clock.pass(60_000);
  await rest();
  expect(events()).toEqual(['notes.txt skipped']);
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('a folder that can’t be opened is a problem', async () => {
  const root = temporaryFolder();
  const { add, rescan, only, until } = foldersIn();
  await add(root);
  await chmod(root, 0);
  void rescan().catch(() => undefined);
  await until(() => only().watch.state().state === 'problem', 'the problem');
  expect(only().watch.state()).toMatchObject({ reason: { code: 'folderUnreadable' } });
  await chmod(root, 0o700);
  await until(() => only().watch.state().state === 'watching', 'access');
});

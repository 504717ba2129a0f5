import type * as syncFs from 'node:fs';
import { mkdirSync } from 'node:fs';
import type * as fs from 'node:fs/promises';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ApiError } from '#api/client.ts';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import { presentFolder } from '#main/watcher/present.ts';
import { preview } from '#main/watcher/preview.ts';
import { selectionOf } from '#main/watcher/selection.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { foldersIn, put } from './harness.ts';

/** Watch folders, with a folder that can be there or not. */
function removable() {
  const parent = temporaryFolder();
  const root = join(parent, 'drive');
  const elsewhere = join(parent, 'unplugged');
  mkdirSync(root);
  return { ...foldersIn(), root, remove: () => rename(root, elsewhere), bringBack: () => rename(elsewhere, root) };
}

test('takes existing files when asked', async () => {
  const root = temporaryFolder();
  await mkdir(join(root, 'sub'));
  await put(root, 'a.png', 'A');
  await put(root, 'sub/b.png', 'B');
  const { add, upload, uploaded } = foldersIn();
  await add(root, { existing: true });
  await upload();
  expect(uploaded()).toEqual(['a.png', 'sub/b.png']);
});

test('has the pictures of a folder converted as it says', async () => {
  const usually = { convert: 'jpeg' };
  for (const [convert, sent] of [
    ['avif', 'avif'],
    ['original', undefined],
  ] as const) {
    const root = temporaryFolder();
    await put(root, 'a.png', 'A');
    const { add, usual, journal } = foldersIn();
    Object.assign(usual, usually);
    await add(root, { existing: true, convert });
    expect(journal.items.list(['sending', 'queued'], 10, 0).map(({ fields }) => fields.convert)).toEqual([sent]);
  }
});

test('takes videos from when the account may upload them, and none that was there before', async () => {
  const root = temporaryFolder();
  await put(root, 'old.mp4', 'A');
  await put(root, 'old.png', 'B');
  const { add, rescan, upload, uploaded, outcomeOf, videos, clock } = foldersIn();
  await add(root);
  await put(root, 'early.mov', 'C');
  await put(root, 'new.png', 'D');
  await rescan();
  expect(['old.mp4', 'early.mov'].map(outcomeOf)).toEqual(['skipped', 'skipped']);
  videos.areTaken = true;
  await put(root, 'missed.png', 'F');
  clock.pass(Math.max(0, Date.now() + 1_000 - clock.now()));
  await rescan();
  expect(['old.mp4', 'early.mov', 'old.png'].map(outcomeOf)).toEqual(['existing', 'existing', 'existing']);
  await put(root, 'later.webm', 'E');
  await rescan();
  await upload();
  expect(uploaded()).toEqual(['later.webm', 'missed.png', 'new.png']);
});

test('takes the videos of a new folder that are there if they are wanted', async () => {
  const root = temporaryFolder();
  await put(root, 'a.mp4', 'A');
  const { add, upload, uploaded, videos } = foldersIn();
  videos.areTaken = true;
  await add(root, { existing: true });
  await upload();
  expect(uploaded()).toEqual(['a.mp4']);
});

test('uploads each content of a folder once', async () => {
  const root = temporaryFolder();
  await put(root, 'a.png', 'A');
  await put(root, 'copy of a.png', 'A');
  const { add, upload, uploaded, outcomeOf } = foldersIn();
  await add(root, { existing: true });
  await upload();
  expect(uploaded()).toHaveLength(1);
  // Either may be read first.
  expect(['a.png', 'copy of a.png'].map(outcomeOf).sort()).toEqual(['duplicate', 'uploaded']);
});

test('records which files it leaves because of their type', async () => {
  const root = temporaryFolder();
  await put(root, 'notes.txt', 'text');
  const { add, events } = foldersIn();
  await add(root, { existing: true });
  expect(events()).toEqual(['notes.txt skipped']);
});

test('takes a file once it has lost its temporary name', async () => {
  const root = temporaryFolder();
  await put(root, 'writing.png.part', 'C');
  const { add, rescan, events } = foldersIn();
  await add(root, { existing: true });
  expect(events()).toEqual([]);
  await rename(join(root, 'writing.png.part'), join(root, 'writing.png'));
  await rescan();
  expect(events()).toEqual(['writing.png queued']);
});

test('a scan that finds nothing new records nothing', async () => {
  const root = temporaryFolder();
  for (const [name, content] of Object.entries({ 'a.png': 'A', 'copy.png': 'A', 'notes.txt': 'text' })) await put(root, name, content);
  const { add, upload, rescan, events } = foldersIn();
  await add(root, { existing: true });
  await upload();
  const before = events();
  await rescan();
  expect(events()).toEqual(before);
});

test('leaves what was there before, even after it is moved', async () => {
  const root = temporaryFolder();
  await put(root, 'old.png', 'OLD');
  const { add, rescan, events } = foldersIn();
  await add(root);
  expect(events()).toEqual([]);
  await mkdir(join(root, 'new folder'));
  await rename(join(root, 'old.png'), join(root, 'new folder', 'old.png'));
  await rescan();
  expect(events()).toEqual(['new folder/old.png moved']);
});

test('takes new files that a scan finds', async () => {
  const root = temporaryFolder();
  const { add, rescan, events } = foldersIn();
  await add(root);
  await put(root, 'new.png', 'NEW');
  await rescan();
  expect(events()).toEqual(['new.png queued']);
});

test('takes a new file at once that a message names', async () => {
  const root = temporaryFolder();
  const { add, events, hints, until, only } = foldersIn();
  await add(root);
  const scannedAt = only().watch.scannedAt();
  await put(root, 'hinted.png', 'HINTED');
  hints().onHint('hinted.png');
  await until(() => events().includes('hinted.png queued'), 'the hint');
  expect(only().watch.scannedAt()).toBe(scannedAt);
});

test('a moved picture isn’t uploaded again', async () => {
  const root = temporaryFolder();
  await put(root, 'a.png', 'ONE');
  const { add, rescan, upload, uploaded, outcomeOf } = foldersIn();
  await add(root, { existing: true });
  await upload();
  await rename(join(root, 'a.png'), join(root, 'b.png'));
  await rescan();
  await upload();
  expect(uploaded()).toEqual(['a.png']);
  expect(outcomeOf('b.png')).toBe('moved');
});

test('an edited picture is uploaded as a new one', async () => {
  const root = temporaryFolder();
  await put(root, 'a.png', 'ONE');
  const { add, rescan, upload, uploaded } = foldersIn();
  await add(root, { existing: true });
  await upload();
  await put(root, 'a.png', 'TWO', 1_700_000_100);
  await rescan();
  await upload();
  expect(uploaded()).toEqual(['a.png', 'a.png']);
});

test('earlier versions of an edited picture stay known', async () => {
  const root = temporaryFolder();
  const { add, rescan, upload, uploaded, outcomeOf } = foldersIn();
  await add(root);
  for (const [index, version] of ['ONE', 'TWO', 'THREE'].entries()) {
    await put(root, 'a.png', version, 1_700_000_000 + index);
    await rescan();
    await upload();
  }
  await put(root, 'first.png', 'ONE');
  await put(root, 'second.png', 'TWO');
  await rescan();
  await upload();
  expect(uploaded()).toEqual(['a.png', 'a.png', 'a.png']);
  expect(['first.png', 'second.png'].map(outcomeOf)).toEqual(['duplicate', 'duplicate']);
});

test('a file that is moved before it is sent is sent from its new place', async () => {
  const root = temporaryFolder();
  await put(root, 'a.png', 'A');
  const { add, rescan, upload, uploaded, uploader } = foldersIn();
  uploader.setPaused(true);
  await add(root, { existing: true });
  await rename(join(root, 'a.png'), join(root, 'z.png'));
  await rescan();
  uploader.setPaused(false);
  await upload();
  expect(uploaded()).toEqual(['z.png']);
});

test('a file that is deleted before it is sent isn’t sent', async () => {
  const root = temporaryFolder();
  await put(root, 'a.png', 'A');
  const { add, rescan, upload, events, uploader, journal } = foldersIn();
  uploader.setPaused(true);
  await add(root, { existing: true });
  await rm(join(root, 'a.png'));
  await rescan();
  uploader.setPaused(false);
  await upload();
  expect(events().at(-1)).toBe('a.png gone');
  expect(journal.items.counts()).toMatchObject({ failed: 0, queued: 0 });
});

test('a copy of a file that is deleted before it is sent is sent instead', async () => {
  const root = temporaryFolder();
  await put(root, 'c.png', 'C');
  const { add, rescan, upload, uploaded, uploader } = foldersIn();
  uploader.setPaused(true);
  await add(root, { existing: true });
  await put(root, 'copy of c.png', 'C');
  await rescan();
  await rm(join(root, 'c.png'));
  await rescan();
  uploader.setPaused(false);
  await upload();
  expect(uploaded()).toEqual(['copy of c.png']);
});

test('an absent folder is waiting, and so are its uploads', async () => {
  const { root, remove, add, hints, only, until, journal, uploader } = removable();
  uploader.setPaused(true);
  await put(root, 'a.png', 'A');
  await add(root, { existing: true });
  await remove();
  hints().onHint('');
  await until(() => only().watch.state().state === 'waiting', 'waiting');
  expect(only().watch.state()).toMatchObject({ reason: { code: 'folderMissing' } });
  expect(journal.items.counts()).toMatchObject({ paused: 1 });
});

test('a folder that is back continues as if it had never been absent', async () => {
  const { root, remove, bringBack, add, hints, only, until, upload, rest, events, uploader } = removable();
  uploader.setPaused(true);
  await put(root, 'a.png', 'A');
  await add(root, { existing: true });
  await remove();
  hints().onHint('');
  await until(() => only().watch.state().state === 'waiting', 'waiting');
  await bringBack();
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
  const { add, hints, openWatchers, only, rest, clock, until } = foldersIn();
  await add(root);
  const first = hints();
  first.onError(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  await rest();
  const failedAt = clock.now();
  await until(() => hints() !== first, 'another attempt');
  expect(clock.now() - failedAt).toBeLessThan(12 * 60_000);
  await rest();
  expect(only().watch.state()).toEqual({ state: 'watching', notice: undefined });
  expect(openWatchers()).toBe(1);
});

test('ignores what a watcher reports after it was closed', async () => {
  const { add, hints, openWatchers, only, rest, folders } = foldersIn();
  await add(temporaryFolder());
  const closed = hints();
  folders.pause(true);
  expect(openWatchers()).toBe(0);
  folders.pause(false);
  await rest();
  closed.onError(new Error('closed'));
  expect(only().watch.state()).toEqual({ state: 'watching', notice: undefined });
});

test('moves uploaded files without replacing others', async () => {
  const root = temporaryFolder();
  await put(root, 'a.png', 'A');
  await mkdir(join(root, 'Uploaded'));
  await put(root, 'Uploaded/a.png', 'another');
  const { add, upload, until, events } = foldersIn();
  await add(root, { existing: true, after: { kind: 'move', to: 'Uploaded' } });
  await upload();
  await until(() => events().includes('a.png filed'), 'the move');
  expect((await readdir(join(root, 'Uploaded'))).sort()).toEqual(['a (2).png', 'a.png']);
  expect(await readdir(root)).toEqual(['Uploaded']);
});

test('moves after a crash what was uploaded before it', async () => {
  const root = temporaryFolder();
  const state = temporaryFolder();
  await put(root, 'a.png', 'A');
  const first = foldersIn(state);
  await first.add(root, { existing: true, after: { kind: 'move', to: 'Uploaded' } });
  const [item] = first.journal.items.list(['sending'], 1, 0);
  await first.folders.close();
  await first.upload();
  expect(first.journal.items.get(item?.id ?? '')?.postUpload).toBe('pending');
  first.journal.close();
  const second = foldersIn(state);
  await second.until(() => second.events().includes('a.png filed'), 'the move after the crash');
});

test('trashes what was uploaded', async () => {
  const root = temporaryFolder();
  const path = await put(root, 'a.png', 'A');
  const { add, upload, trashed, until, events } = foldersIn();
  await add(root, { existing: true, after: { kind: 'trash' } });
  await upload();
  await until(() => events().includes('a.png trashed'), 'the trash');
  expect(trashed).toEqual([path]);
});

test('keeps a file that has changed since it was uploaded', async () => {
  const root = temporaryFolder();
  await put(root, 'b.png', 'B');
  const { add, upload, trashed, until, events } = foldersIn();
  await add(root, { existing: true, after: { kind: 'trash' } });
  await put(root, 'b.png', 'edited', 1_700_000_500);
  await upload();
  await until(() => events().includes('b.png kept'), 'the decision');
  expect(trashed).toEqual([]);
});

test('keeps a rejected file', async () => {
  const root = temporaryFolder();
  const path = await put(root, 'a.png', 'A');
  await put(root, 'b.png', 'B');
  const { add, upload, trashed, now, until, events } = foldersIn();
  await add(root, { existing: true, after: { kind: 'trash' } });
  now('b.png').work.reject(new ApiError(400, 'The picture is damaged.', { code: 'damaged_image' }));
  await until(() => events().includes('b.png rejected'), 'the refusal');
  await upload();
  await until(() => events().includes('a.png trashed'), 'the trash');
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
});

test('nothing is left of a removed folder that was paused', async () => {
  const { add, folders, journal } = foldersIn();
  const id = await add(temporaryFolder());
  folders.pause(true, id);
  expect(journal.fact(`held:${id}`)).toBe('yes');
  await folders.remove(id);
  expect(folders.list()).toEqual([]);
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

/** Makes files and folders unreadable, also for an administrator, whom no permission stops. */
function closed(...paths: string[]): Disposable {
  const require = createRequire(import.meta.url);
  const promises = require('node:fs/promises') as Pick<typeof fs, 'open' | 'opendir'>;
  const streams = require('node:fs') as Pick<typeof syncFs, 'createReadStream'>;
  const { open, opendir } = promises;
  const { createReadStream } = streams;
  const isClosed = (path: unknown) => paths.includes(String(path));
  const refusal = (path: unknown) => Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' });
  const guard =
    <A extends unknown[], R>(act: (path: never, ...rest: A) => Promise<R>) =>
    (path: unknown, ...rest: A) =>
      isClosed(path) ? Promise.reject(refusal(path)) : act(path as never, ...rest);
  promises.open = guard(open) as typeof open;
  promises.opendir = guard(opendir) as typeof opendir;
  streams.createReadStream = ((path: string, options: object) =>
    isClosed(path)
      ? new Readable({ read: () => undefined }).destroy(refusal(path))
      : createReadStream(path, options)) as typeof createReadStream;
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]() {
      Object.assign(promises, { open, opendir });
      streams.createReadStream = createReadStream;
      syncBuiltinESMExports();
    },
  };
}

test('previews what a folder would upload', async () => {
  const root = temporaryFolder();
  await put(root, 'a.gif', 'GIF89a, and more');
  await put(root, 'b.gif', 'GIF89a');
  await put(root, 'notes.txt', 'text');
  await put(root, 'empty.png', '');
  await put(root, 'page.jpg', '<!doctype html>');
  await put(root, 'secret.png', 'GIF89a');
  await mkdir(join(root, 'closed'));
  await put(join(root, 'closed'), 'c.gif', 'GIF89a');
  using _ = closed(join(root, 'closed'), join(root, 'secret.png'));
  const { folders } = foldersIn();
  expect(await folders.preview(root, DEFAULT_FOLDER_OPTIONS)).toMatchObject({
    count: 2,
    bytes: 22,
    largest: { name: 'a.gif', bytes: 16 },
    samples: ['a.gif', 'b.gif'],
    seen: 0,
    noPictures: 2,
    unreadable: { count: 2, names: ['secret.png', 'closed'] },
    complete: true,
  });
});

test('counts what is too large for the account, videos by the limit of videos', async () => {
  const root = temporaryFolder();
  await put(root, 'a.gif', 'GIF89a, and more');
  await put(root, 'b.mp4', '\0\0\0\x18ftypisom, and more of the video');
  const looked = (maxFile: number | null, maxVideo: number | null) =>
    preview({
      path: root,
      selection: selectionOf(root, DEFAULT_FOLDER_OPTIONS, { own: [], videos: true }),
      isKnown: () => false,
      room: Promise.resolve({ left: null, maxFile, maxVideo }),
      now: () => 0,
    });
  expect(await looked(10, 1000)).toMatchObject({ count: 2, tooLarge: 1 });
  expect(await looked(null, 20)).toMatchObject({ count: 2, tooLarge: 1 });
  expect(await looked(1000, null)).toMatchObject({ count: 2, tooLarge: 0 });
});

test('what can’t be read is named, counted and tried again, and the rest is watched', async () => {
  const root = temporaryFolder();
  for (const folder of ['closed', 'open']) {
    await mkdir(join(root, folder));
    await put(join(root, folder), 'a.png', folder);
  }
  await put(root, 'secret.png', 'secret');
  const { add, only, folders, hints, upload, uploaded, until, rest, clock } = foldersIn();
  const access = closed(join(root, 'closed'), join(root, 'secret.png'));
  await add(root, { existing: true });
  await upload();
  expect(uploaded()).toEqual(['open/a.png']);
  hints().onError(Object.assign(new Error('EACCES: permission denied, watch'), { code: 'EACCES' }));
  await rest();
  // Not of the whole folder: its other parts are watched.
  expect(only().watch.state()).toEqual({ state: 'watching', notice: undefined });
  const shown = () => presentFolder(only().folder, only().watch, only().counts, only().unreadable, () => '');
  expect(shown()).toMatchObject({ unreadable: { count: 2, names: ['closed', 'secret.png'] }, counts: { uploaded: 1, rejected: 0 } });
  access[Symbol.dispose]();
  clock.pass(60_000);
  await until(() => only().unreadable.count === 0, 'the end of what can’t be read');
  await rest();
  await upload();
  expect(uploaded()).toEqual(['closed/a.png', 'open/a.png', 'secret.png']);
  expect(folders.list()).toHaveLength(1);
});

test('refuses a folder that can’t be watched', async () => {
  const root = temporaryFolder();
  const state = temporaryFolder();
  await put(root, 'a.png', 'AAA');
  await mkdir(join(root, 'inside'));
  const { folders, add } = foldersIn(state);
  await add(root);
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

test('new files become drafts where the folder’s pictures are edited first, and stay where they are', async () => {
  const root = temporaryFolder();
  await put(root, 'a.png', 'A');
  await put(root, 'b.png', 'B');
  await put(root, 'c.png', 'C');
  const { add, drafts, uploader, spool, upload, uploaded, trashed, until, outcomeOf, rescan } = foldersIn();
  await add(root, { existing: true, review: 'ask', after: { kind: 'trash' } });
  const ids = drafts.flatMap(([found]) => found);
  expect([ids.length, drafts[0]?.[1], uploader.summary()]).toEqual([3, 'ask', expect.objectContaining({ drafts: 3, queued: 0 })]);
  const idOf = (name: string) => ids.find((id) => uploader.draft(id)?.name === name) ?? '';

  // As it is, drawn on, and not at all.
  const [asItIs, drawn] = [idOf('a.png'), idOf('b.png')];
  await uploader.discardDraft(idOf('c.png'));
  await uploader.sendDraft(asItIs);
  await uploader.sendDraft(drawn, await spool.keep(new Uint8Array([1, 2, 3, 4]), 'b.png'));
  await upload();
  expect(uploaded().sort()).toEqual(['a.png', 'b.png']);
  await until(() => trashed.length > 0, 'the trash');
  expect(trashed).toEqual([join(root, 'a.png')]);
  expect((await readdir(root)).sort()).toEqual(['a.png', 'b.png', 'c.png']); // the trash of this test removes nothing
  await rescan();
  expect([drafts.flatMap(([found]) => found).length, outcomeOf('b.png')]).toEqual([3, 'uploaded']);
});

test('a draft whose file changes is replaced by one of the new version', async () => {
  const root = temporaryFolder();
  await put(root, 'a.png', 'A');
  const { add, drafts, uploader, rescan } = foldersIn();
  await add(root, { existing: true, review: 'edit' });
  const [first = ''] = drafts[0]?.[0] ?? [];
  uploader.keepMarks(first, '{"marks":[]}');
  await put(root, 'a.png', 'another A');
  await rescan();
  expect([uploader.draft(first), drafts.length, uploader.summary().drafts]).toEqual([undefined, 2, 1]);
});

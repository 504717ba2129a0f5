import { fstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { afterAll, expect, it, vi } from 'vitest';
import { chooseRestore, createBackup, deleteBackup, getBackups, runScheduledBackup, setBackupSchedule } from '#api/admin/backup.ts';
import { batchImages } from '#api/images/changes.ts';
import { listImages } from '#api/images/images.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { image as noise, photoJpeg } from '#test/helpers/pictures/images.ts';
import { eio, fileHandles } from '#test/helpers/programs/file-handles.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { looksOf, setLooks } from '#test/helpers/service/data/looks.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, type SignedIn, setUp, startTestService, type TestService, uploadImage } from '#test/helpers/service/service.ts';
import { dataOf } from '#test/helpers/service/sharing.ts';

let { service, owner } = await startFileService();
let token = await owner.token('full');
const elsewhere = temporaryFolder(afterAll);

let seed = 900;
const upload = async (at = service, bearer = token): Promise<Uploaded> =>
  uploadImage(at, bearer, await photoJpeg({ width: 120, height: 80, seed: seed++ }));
const served = async (at: TestService, { key, ext }: Pick<Uploaded, 'key' | 'ext'>) => {
  const response = await fetch(`${at.url}/i/${key}.${ext}`);
  return [response.status, Buffer.from(await response.arrayBuffer()).toString('base64')] as const;
};

/** Sends an archive to a service to be restored. */
const restore = (at: SignedIn, archive: Uint8Array) =>
  at.fetch('/api/v1/admin/restore', { method: 'POST', headers: { 'content-type': 'application/x-tar' }, body: new Uint8Array(archive) });

async function entriesOf(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const entry of Readable.from([archive]).pipe(extract())) files.set(entry.header.name, await buffer(entry));
  return files;
}

it('makes a consistent archive during uploads and deletions; a new service restores a copy from it', async () => {
  const looks = await setLooks(owner);
  const before = await Promise.all(Array.from({ length: 12 }, () => upload()));
  let isRunning = true;
  const busy = (async () => {
    const during: Uploaded[] = [];
    while (isRunning) {
      const image = await upload();
      during.push(image);
      if (during.length % 2) await owner.client.call(batchImages, { body: { action: 'purge', keys: [image.key] } });
    }
    return during;
  })();
  const archives: Buffer[] = [];
  try {
    for (let round = 0; round < 3; round++) {
      const response = await owner.fetch('/api/v1/admin/backup/stream');
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-tar']);
      archives.push(Buffer.from(await response.arrayBuffer()));
    }
  } finally {
    isRunning = false;
  }
  expect((await busy).length).toBeGreaterThan(0);
  const files = await entriesOf(archives[2] as Buffer);
  expect([...files.keys()].slice(0, 3)).toEqual(['manifest.json', 'pixdock.db', 'secrets.json']);
  expect(JSON.parse(String(files.get('manifest.json'))).sensitive).toContain('secrets.json');

  await using copy = await startTestService();
  const stranger = await setUp(copy);
  await upload(copy, await stranger.token('upload'));
  for (const archive of archives) {
    const response = await restore(stranger, archive);
    expect([response.status, (await response.json()).data]).toMatchObject([200, { restart_required: true, missing: 0 }]);
  }
  expect((await stranger.client.call(listImages, { query: {} })).items).toHaveLength(1);
  await copy.restart();
  expect((await stranger.fetch('/api/v1/images')).status).toBe(401);
  for (const image of before) expect(await served(copy, image)).toEqual(await served(service, image));
  const again = await newSession(copy, OWNER.username, OWNER.password);
  for (const image of (await again.client.call(listImages, { query: { limit: 200 } })).items)
    expect((await served(copy, image))[0]).toBe(200);
  expect(await looksOf(again)).toEqual(looks);
  const secretsOf = ({ dataDir }: TestService) => readFileSync(join(dataDir, 'secrets.json'), 'utf8');
  expect(secretsOf(copy)).toBe(secretsOf(service));
  expect(readdirSync(copy.dataDir).sort()).not.toContain('restore');
});

it('stores, lists, restores and deletes archives', async () => {
  const image = await upload();
  const made = await owner.client.call(createBackup, {});
  expect(made).toMatchObject({ missing: 0 });
  const { files, running } = await owner.client.call(getBackups, {});
  expect(files).toMatchObject([{ name: made.name, size: made.size }]);
  expect(running).toBeNull();
  const download = await contentOf(owner.fetch(`/api/v1/admin/backup/files/${made.name}`));
  expect(download.length).toBe(made.size);
  expect((await entriesOf(download)).has(`blobs/1/${image.sha256}`)).toBe(true);

  await owner.client.call(batchImages, { body: { action: 'purge', keys: [image.key] } });
  const lost = await upload();
  await owner.client.call(chooseRestore, { body: { name: made.name } });
  expect((await owner.client.call(getBackups, {})).restore).toMatchObject({ images: made.images });
  await service.restart();
  expect((await served(service, image))[0]).toBe(200);
  expect((await served(service, lost))[0]).toBe(404);
  expect((await owner.fetch('/api/v1/user')).status).toBe(401);
  expect(readdirSync(join(service.dataDir, 'replaced'))).toHaveLength(1);

  await signInAgain();
  await owner.client.call(deleteBackup, { params: { name: made.name } });
  expect((await owner.client.call(getBackups, {})).files).toEqual([]);
  expect((await owner.fetch(`/api/v1/admin/backup/files/${made.name}`)).status).toBe(404);
  for (const name of ['..%2Fpixdock.db', 'pixdock.db', '.hidden.tar', `${'x'.repeat(200)}.tar`])
    expect((await owner.fetch(`/api/v1/admin/backup/files/${name}`)).status).toBe(400);
});

it('leaves out files that can’t be read, also those that fail halfway, and restores everything else', async () => {
  await using source = await startTestService();
  await using copy = await startTestService();
  const from = await setUp(source);
  const bearer = await from.token('full');
  const large = async () => {
    // Not kept in memory.
    const file = await noise({ width: 1100, height: 1000, seed: seed++ }).png({ compressionLevel: 0 }).toBuffer();
    return uploadImage(source, bearer, file);
  };
  const [unopened, halfway, whole] = [await large(), await large(), await large()];
  const pathOf = ({ sha256 }: Uploaded) => join(source.dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  renameSync(pathOf(unopened), `${pathOf(unopened)}.aside`);
  mkdirSync(pathOf(unopened));
  const { ino } = statSync(pathOf(halfway));
  const reads = new Map<FileHandle, number>();
  const { read } = fileHandles();
  const failing = vi.spyOn(fileHandles(), 'read').mockImplementation(async function (this: FileHandle, ...args: unknown[]) {
    const count = (reads.get(this) ?? 0) + 1;
    reads.set(this, count);
    if (count > 1 && fstatSync(this.fd).ino === ino) throw eio();
    return Reflect.apply(read, this, args);
  });

  const archive = await contentOf(from.fetch('/api/v1/admin/backup/stream'));
  const end = JSON.parse(String((await entriesOf(archive)).get('end.json')));
  expect(end).toEqual({ blobs: 1, bytes: whole.size, missing: [unopened, halfway].map(({ sha256 }) => `1/${sha256}`).toSorted() });
  const stranger = await setUp(copy);
  expect((await (await restore(stranger, archive)).json()).data).toMatchObject({ images: 3, blobs: 1, missing: 2 });
  await copy.restart();
  for (const [image, bytes] of [
    [unopened, undefined],
    [halfway, undefined],
    [whole, readFileSync(pathOf(whole)).toString('base64')],
  ] as const) {
    const [status, body] = await served(copy, image);
    expect(status === 200 ? body : undefined).toBe(bytes);
  }

  const folder = join(elsewhere, 'with unreadable files');
  mkdirSync(folder);
  await from.client.call(setBackupSchedule, { body: { schedule: { folder, every_hours: 1, keep: 2 } } });
  const first = await from.client.call(runScheduledBackup, {});
  expect(first).toMatchObject({ blobs: 1, missing: 2 });
  failing.mockRestore();
  rmdirSync(pathOf(unopened));
  renameSync(`${pathOf(unopened)}.aside`, pathOf(unopened));
  expect(await nextSecond(() => from.client.call(runScheduledBackup, {}))).toMatchObject({ blobs: 3, new_blobs: 2, missing: 0 });
  await from.client.call(chooseRestore, { body: { snapshot: first.snapshot } });
  await source.restart();
  for (const image of [unopened, halfway, whole]) expect((await served(source, image))[0]).toBe(200);
});

it('fails when the disk has faults everywhere, rather than leaving everything out', async () => {
  await using source = await startTestService();
  const from = await setUp(source);
  const bearer = await from.token('full');
  for (let left = 10; left > 0; left--) {
    const { sha256 } = await upload(source, bearer);
    const path = join(source.dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    rmSync(path);
    mkdirSync(path);
  }
  await source.restart(); // small files are kept in memory
  const again = await newSession(source, OWNER.username, OWNER.password);
  await expect(again.client.call(createBackup, {})).rejects.toMatchObject({ status: 500 });
});

it('discards a cancelled restore', async () => {
  const made = await owner.client.call(createBackup, {});
  const image = await upload();
  await owner.client.call(chooseRestore, { body: { name: made.name } });
  expect((await owner.fetch('/api/v1/admin/restore', { method: 'DELETE' })).status).toBe(200);
  expect((await owner.fetch('/api/v1/admin/restore', { method: 'DELETE' })).status).toBe(404);
  await service.restart();
  expect((await served(service, image))[0]).toBe(200);
});

it('backs up only new blobs into a folder, keeps the set number of snapshots, and restores one', async () => {
  const first = await upload();
  const refused = { folder: join(service.dataDir, 'x'), every_hours: 1, keep: 2 };
  for (const folder of [refused.folder, 'relative', '/proc/nowhere'])
    await expect(owner.client.call(setBackupSchedule, { body: { schedule: { ...refused, folder } } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  await owner.client.call(setBackupSchedule, { body: { schedule: { ...refused, folder: elsewhere } } });
  const one = await owner.client.call(runScheduledBackup, {});
  expect(one.new_blobs).toBe(one.blobs);
  await upload();
  const two = await nextSecond(() => owner.client.call(runScheduledBackup, {}));
  expect(two).toMatchObject({ new_blobs: 1, blobs: one.blobs + 1 });
  expect((await owner.client.call(getBackups, {})).snapshots).toEqual([two.snapshot, one.snapshot]);

  await owner.client.call(batchImages, { body: { action: 'purge', keys: [first.key] } });
  await owner.client.call(chooseRestore, { body: { snapshot: two.snapshot } });
  await service.restart();
  expect((await served(service, first))[0]).toBe(200);
  await signInAgain();
});

/** A restore has ended all sessions and revoked all tokens. */
async function signInAgain() {
  owner = await newSession(service, OWNER.username, OWNER.password);
  token = await owner.token('full');
}

/** Advances the clock: snapshots are named by the second. */
async function nextSecond<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1000 });
  return work().finally(() => vi.useRealTimers());
}

it('is open only to admins with a session', async () => {
  const other = await addUser(service, 'bert');
  for (const [method, path] of [
    ['GET', 'backup'],
    ['POST', 'backup'],
    ['GET', 'backup/stream'],
    ['GET', 'backup/files/x.tar'],
    ['DELETE', 'backup/files/x.tar'],
    ['PUT', 'backup/schedule'],
    ['POST', 'restore'],
    ['POST', 'restore/choose'],
    ['POST', 'restore/restart'],
    ['DELETE', 'restore'],
    ['DELETE', 'restore/report'],
  ] as const) {
    const url = `/api/v1/admin/${path}`;
    expect((await fetch(service.url + url, { method })).status).toBe(401);
    expect((await other.fetch(url, { method })).status).toBe(403);
    expect((await fetch(service.url + url, { method, headers: { authorization: `Bearer ${token}` } })).status).toBe(403);
  }
});

it.each(['cross-site', 'same-site'])('starts and sends no archive when another site asks for it (%s)', async (site) => {
  const { name } = await owner.client.call(createBackup, {});
  for (const path of ['stream', `files/${name}`]) {
    const response = await owner.fetch(`/api/v1/admin/backup/${path}`, { headers: { 'sec-fetch-site': site } });
    expect([response.status, (await dataOf(response)).code]).toEqual([403, 'cross_site']);
  }
  await owner.client.call(deleteBackup, { params: { name } });
});
